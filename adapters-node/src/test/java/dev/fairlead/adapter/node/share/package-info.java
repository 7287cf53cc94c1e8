/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.share;

import org.jspecify.annotations.NullMarked;
