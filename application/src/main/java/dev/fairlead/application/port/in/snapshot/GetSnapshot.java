package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;

/** Looks one snapshot up. */
public interface GetSnapshot {
    SnapshotView get(String handle, Work work);
}
