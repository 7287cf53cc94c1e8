/** Keeps volumes and snapshots as ZFS datasets. */
@NullMarked
package dev.fairlead.adapter.zfs.store;

import org.jspecify.annotations.NullMarked;
