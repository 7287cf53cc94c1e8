package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;

/** Looks one snapshot up. */
public interface GetSnapshot {
    SnapshotView get(String handle, Work work);
}
