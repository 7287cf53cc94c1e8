/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.lustre;

import org.jspecify.annotations.NullMarked;
