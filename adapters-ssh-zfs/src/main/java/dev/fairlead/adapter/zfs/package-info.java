/** Volumes and snapshots as ZFS datasets, by the {@code zfs} program of a storage host. */
@NullMarked
package dev.fairlead.adapter.zfs;

import org.jspecify.annotations.NullMarked;
