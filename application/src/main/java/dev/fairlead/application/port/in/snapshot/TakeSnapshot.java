package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.CsiName;
import java.util.Map;

/** Takes a snapshot of a volume. */
public interface TakeSnapshot {
    SnapshotView take(CsiName name, String sourceVolume, Map<String, String> parameters, Work work);
}
