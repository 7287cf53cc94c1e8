package dev.fairlead.adapter.grpc.controller;

import csi.v1.CreateSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.domain.volume.CsiName;
import java.util.Map;

/** Decodes the requests about snapshots. */
final class SnapshotRequests {
    private SnapshotRequests() {}

    /** Holds what {@code TakeSnapshot} takes. */
    record Take(CsiName name, String sourceVolume, Map<String, String> parameters) {}

    static Take take(CreateSnapshotRequest request) {
        if (request.hasAccessibilityRequirements()) {
            throw FieldChecks.invalid(
                    "accessibility_requirements",
                    "are given (expected: none, as SNAPSHOT_ACCESSIBILITY_CONSTRAINTS is not offered)");
        }
        return new Take(
                new CsiName(request.getName()),
                FieldChecks.handle("source_volume_id", request.getSourceVolumeId()),
                FieldChecks.map("parameters", request.getParametersMap()));
    }

    static ListSnapshots.Query list(ListSnapshotsRequest request) {
        return new ListSnapshots.Query(
                FieldChecks.given("snapshot_id", request.getSnapshotId(), FieldChecks.HANDLE),
                FieldChecks.given("source_volume_id", request.getSourceVolumeId(), FieldChecks.HANDLE),
                FieldChecks.given("starting_token", request.getStartingToken(), FieldChecks.TOKEN),
                FieldChecks.maxEntries(request.getMaxEntries()));
    }
}
