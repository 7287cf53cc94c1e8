/** Pools, datasets, snapshots and their clones, as ZFS and the vendor's middleware treat them. */
@NullMarked
package dev.fairlead.simulator.pool;

import org.jspecify.annotations.NullMarked;
