package dev.fairlead.adapter.grpc.message;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Timestamp;
import csi.v1.GetCapacityResponse;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesResponse;
import csi.v1.NodeGetInfoResponse;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.ValidateVolumeCapabilitiesResponse;
import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import csi.v1.VolumeUsage;
import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.topology.TopologySegment;
import java.time.Instant;
import java.util.Optional;

/** Encodes what use cases return. */
public final class Responses {
    private Responses() {}

    public static Volume volume(VolumeView view) {
        Volume.Builder volume = Volume.newBuilder()
                .setVolumeId(view.handle())
                .setCapacityBytes(view.capacity().bytes())
                .putAllVolumeContext(view.context());
        view.accessibleFrom().forEach(place -> volume.addAccessibleTopology(topology(place)));
        switch (view.source()) {
            case Source.None _ -> {}
            case Source.Snapshot(String handle) ->
                volume.setContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(
                                VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(handle)));
            case Source.Volume(String handle) ->
                volume.setContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(handle)));
        }
        return volume.build();
    }

    private static Topology topology(TopologySegment place) {
        return Topology.newBuilder().putAllSegments(place.labels()).build();
    }

    public static ListVolumesResponse volumes(Listing<VolumeView> listing) {
        ListVolumesResponse.Builder response = ListVolumesResponse.newBuilder();
        listing.items()
                .forEach(view -> response.addEntries(
                        ListVolumesResponse.Entry.newBuilder().setVolume(volume(view))));
        listing.nextToken().ifPresent(response::setNextToken);
        return response.build();
    }

    public static Snapshot snapshot(SnapshotView view) {
        return Snapshot.newBuilder()
                .setSnapshotId(view.handle())
                .setSourceVolumeId(view.sourceVolume())
                .setSizeBytes(view.size().bytes())
                .setCreationTime(timestamp(view.created()))
                .setReadyToUse(true)
                .setGroupSnapshotId(view.group().orElse(""))
                .build();
    }

    private static Timestamp timestamp(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    public static VolumeGroupSnapshot group(GroupView view) {
        VolumeGroupSnapshot.Builder group = VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId(view.handle())
                .setCreationTime(timestamp(view.created()))
                .setReadyToUse(true);
        view.snapshots().forEach(snapshot -> group.addSnapshots(snapshot(snapshot)));
        return group.build();
    }

    public static ListSnapshotsResponse snapshots(Listing<SnapshotView> listing) {
        ListSnapshotsResponse.Builder response = ListSnapshotsResponse.newBuilder();
        listing.items()
                .forEach(view -> response.addEntries(
                        ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot(view))));
        listing.nextToken().ifPresent(response::setNextToken);
        return response.build();
    }

    public static GetCapacityResponse capacity(ReportCapacity.Result result) {
        GetCapacityResponse.Builder response = GetCapacityResponse.newBuilder()
                .setAvailableCapacity(result.available().bytes());
        result.largestVolume().ifPresent(largest -> response.setMaximumVolumeSize(Int64Value.of(largest.bytes())));
        return response.build();
    }

    /** Returns an answer that confirms the capabilities as asked, or none of them, with the objection. */
    public static ValidateVolumeCapabilitiesResponse validated(
            ValidateVolumeCapabilitiesRequest request, Optional<String> objection) {
        return objection
                .map(why -> ValidateVolumeCapabilitiesResponse.newBuilder().setMessage(why))
                .orElseGet(() -> ValidateVolumeCapabilitiesResponse.newBuilder()
                        .setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                                .putAllVolumeContext(request.getVolumeContextMap())
                                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                                .putAllParameters(request.getParametersMap())
                                .putAllModifiableParameters(request.getModifiableParametersMap())))
                .build();
    }

    public static NodeGetVolumeStatsResponse usage(MeasureVolume.Usage usage) {
        VolumeUsage.Builder bytes =
                VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.BYTES).setTotal(usage.totalBytes());
        if (!usage.device()) {
            bytes.setAvailable(usage.availableBytes()).setUsed(usage.usedBytes());
        }
        NodeGetVolumeStatsResponse.Builder response =
                NodeGetVolumeStatsResponse.newBuilder().addUsage(bytes);
        if (usage.totalInodes() > 0) {
            response.addUsage(VolumeUsage.newBuilder()
                    .setUnit(VolumeUsage.Unit.INODES)
                    .setTotal(usage.totalInodes())
                    .setAvailable(usage.freeInodes())
                    .setUsed(usage.usedInodes()));
        }
        return response.build();
    }

    public static NodeGetInfoResponse node(DescribeNode.Description description) {
        NodeGetInfoResponse.Builder response = NodeGetInfoResponse.newBuilder()
                .setNodeId(description.nodeId())
                .setMaxVolumesPerNode(description.maxVolumes());
        description.topology().ifPresent(place -> response.setAccessibleTopology(topology(place)));
        return response.build();
    }
}
