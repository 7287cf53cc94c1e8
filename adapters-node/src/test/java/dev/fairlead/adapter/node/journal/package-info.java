/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.journal;

import org.jspecify.annotations.NullMarked;
