/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.zfs;

import org.jspecify.annotations.NullMarked;
