/** Exports filesystems by a property of their dataset, and volumes of pools on the node itself. */
@NullMarked
package dev.fairlead.adapter.zfs.share;

import org.jspecify.annotations.NullMarked;
