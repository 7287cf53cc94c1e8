package dev.fairlead.adapter.grpc;

import csi.v1.CreateSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import dev.fairlead.application.port.in.ListSnapshots;
import dev.fairlead.domain.volume.CsiName;
import java.util.Map;

/** Decodes the requests about snapshots. */
final class SnapshotRequests {
    private SnapshotRequests() {}

    /** Holds what {@code TakeSnapshot} takes. */
    record Take(CsiName name, String sourceVolume, Map<String, String> parameters) {}

    static Take take(CreateSnapshotRequest request) {
        if (request.hasAccessibilityRequirements()) {
            throw Fields.invalid(
                    "accessibility_requirements",
                    "are given (expected: none, as SNAPSHOT_ACCESSIBILITY_CONSTRAINTS is not offered)");
        }
        return new Take(
                new CsiName(request.getName()),
                Fields.handle("source_volume_id", request.getSourceVolumeId()),
                Fields.map("parameters", request.getParametersMap()));
    }

    static ListSnapshots.Query list(ListSnapshotsRequest request) {
        return new ListSnapshots.Query(
                Fields.given("snapshot_id", request.getSnapshotId(), Fields.HANDLE),
                Fields.given("source_volume_id", request.getSourceVolumeId(), Fields.HANDLE),
                Fields.given("starting_token", request.getStartingToken(), Fields.TOKEN),
                Fields.maxEntries(request.getMaxEntries()));
    }
}
