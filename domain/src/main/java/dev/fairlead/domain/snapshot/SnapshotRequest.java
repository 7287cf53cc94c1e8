package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;

/** Asks for a snapshot of a volume on the same connection. */
public record SnapshotRequest(CsiName name, NativeId source, Map<String, String> parameters) {
    public SnapshotRequest {
        parameters = Map.copyOf(parameters);
    }
}
