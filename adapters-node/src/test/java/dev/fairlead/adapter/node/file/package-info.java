/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.file;

import org.jspecify.annotations.NullMarked;
