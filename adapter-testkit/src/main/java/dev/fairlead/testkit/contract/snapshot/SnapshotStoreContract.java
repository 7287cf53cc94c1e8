package dev.fairlead.testkit.contract.snapshot;

/**
 * Everything that a {@code SnapshotStore} promises; for the test class of a {@code VolumeStore} that returns this role.
 */
public interface SnapshotStoreContract extends SnapshotLifeContract, SnapshotListContract, SnapshotAdversityContract {}
