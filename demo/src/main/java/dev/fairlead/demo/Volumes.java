package dev.fairlead.demo;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.AccessMode;
import csi.v1.VolumeCapability.MountVolume;
import csi.v1.VolumeContentSource;
import java.nio.file.Path;

/** Makes the CSI calls of a volume's life, as the sidecars and kubelet do. */
final class Volumes {
    static final long GIB = 1L << 30;

    private static final VolumeCapability CAPABILITY = VolumeCapability.newBuilder()
            .setMount(MountVolume.getDefaultInstance())
            .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();

    private final SidecarClient client;

    Volumes(SidecarClient client) {
        this.client = client;
    }

    /** Creates a volume, as the provisioner does after the scheduler has chosen a node of this zone. */
    Volume create(String name, String zone) {
        return create(request(name, zone, VolumeContentSource.getDefaultInstance()));
    }

    Volume restore(String name, String zone, Snapshot snapshot) {
        var source = VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId());
        return create(request(
                name, zone, VolumeContentSource.newBuilder().setSnapshot(source).build()));
    }

    Volume cloneOf(String name, String zone, Volume volume) {
        var source = VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.getVolumeId());
        return create(request(
                name, zone, VolumeContentSource.newBuilder().setVolume(source).build()));
    }

    private Volume create(CreateVolumeRequest request) {
        return client.controller().createVolume(request).getVolume();
    }

    private static CreateVolumeRequest request(String name, String zone, VolumeContentSource source) {
        var near = Topology.newBuilder().putSegments(DemoFolder.PREFIX + "/zone", zone);
        var request = CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(GIB))
                .addVolumeCapabilities(CAPABILITY)
                .putParameters("connectionSelector", "tier=demo")
                .setAccessibilityRequirements(
                        TopologyRequirement.newBuilder().addRequisite(near).addPreferred(near));
        return source.getTypeCase() == VolumeContentSource.TypeCase.TYPE_NOT_SET
                ? request.build()
                : request.setVolumeContentSource(source).build();
    }

    Snapshot snapshot(String name, Volume volume) {
        return client.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume.getVolumeId())
                        .build())
                .getSnapshot();
    }

    void stage(Volume volume, Path staging) {
        var _ = client.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(CAPABILITY)
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    void publish(Volume volume, Path staging, Path target) {
        var _ = client.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setTargetPath(target.toString())
                        .setVolumeCapability(CAPABILITY)
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    void unpublish(Volume volume, Path staging, Path target) {
        var _ = client.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setTargetPath(target.toString())
                        .build());
        var _ = client.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .build());
    }

    /** Expands the volume on the controller and, if needed, on the node, and returns the new size. */
    long expand(Volume volume, long bytes, Path mounted) {
        var range = CapacityRange.newBuilder().setRequiredBytes(bytes);
        var grown = client.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setCapacityRange(range)
                        .setVolumeCapability(CAPABILITY)
                        .build());
        if (!grown.getNodeExpansionRequired()) {
            return grown.getCapacityBytes();
        }
        return client.node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setVolumePath(mounted.toString())
                        .setCapacityRange(range)
                        .setVolumeCapability(CAPABILITY)
                        .build())
                .getCapacityBytes();
    }

    void delete(Snapshot snapshot) {
        var _ = client.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot.getSnapshotId())
                        .build());
    }

    void delete(Volume volume) {
        var _ = client.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
    }

    int count() {
        return client.controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesCount();
    }
}
