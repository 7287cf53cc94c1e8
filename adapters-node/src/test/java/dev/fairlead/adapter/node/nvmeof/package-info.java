/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.nvmeof;

import org.jspecify.annotations.NullMarked;
