/** Names of ZFS datasets and snapshots, and which of them are volumes and snapshots of a connection. */
@NullMarked
package dev.fairlead.zfs.dataset;

import org.jspecify.annotations.NullMarked;
