package dev.fairlead.adapter.grpc.controller;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.domain.volume.CsiName;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Decodes the requests about groups of snapshots. */
final class GroupRequests {
    private GroupRequests() {}

    /** Holds what {@code TakeGroup} takes. */
    record Take(CsiName name, List<String> sourceVolumes, Map<String, String> parameters) {}

    static Take take(CreateVolumeGroupSnapshotRequest request) {
        var name = new CsiName(request.getName());
        if (request.getSourceVolumeIdsCount() == 0) {
            throw FieldChecks.invalid("source_volume_ids", "are missing (expected: at least one volume)");
        }
        return new Take(
                name,
                handles("source_volume_ids", request.getSourceVolumeIdsList()),
                FieldChecks.map("parameters", request.getParametersMap()));
    }

    static List<String> handles(String field, List<String> values) {
        return IntStream.range(0, values.size())
                .mapToObj(i -> FieldChecks.handle(field + "[" + i + "]", values.get(i)))
                .toList();
    }
}
