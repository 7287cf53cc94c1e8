/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.nfs;

import org.jspecify.annotations.NullMarked;
