package dev.fairlead.adapter.local.pool;

import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;

/** Everything that a pool promises, whatever its kind. */
abstract class PoolContract extends PoolSampleContract implements VolumeStoreContract, SnapshotStoreContract {}
