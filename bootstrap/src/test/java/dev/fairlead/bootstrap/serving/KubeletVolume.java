package dev.fairlead.bootstrap.serving;

import csi.v1.CapacityRange;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGrpc.NodeBlockingStub;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A volume as kubelet has it, and the calls that it makes for it.
 *
 * @param folder where it is staged and published
 */
record KubeletVolume(
        String handle, Path folder, boolean block, Map<String, String> context, Map<String, String> secrets) {
    private static final int PATIENCE = 90;

    Path staging() {
        return folder.resolve("staging");
    }

    Path pod() {
        return folder.resolve("pod");
    }

    KubeletVolume with(String key, String value) {
        Map<String, String> more = new HashMap<>(context);
        more.put(key, value);
        return new KubeletVolume(handle, folder, block, more, secrets);
    }

    KubeletVolume withSecret(String key, String value) {
        Map<String, String> more = new HashMap<>(secrets);
        more.put(key, value);
        return new KubeletVolume(handle, folder, block, context, more);
    }

    private static NodeBlockingStub patient(NodeBlockingStub node) {
        return node.withDeadlineAfter(PATIENCE, TimeUnit.SECONDS);
    }

    private VolumeCapability capability() {
        VolumeCapability.Builder capability = RunningDriver.mounted().toBuilder();
        return block
                ? capability
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .build()
                : capability
                        .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("noatime"))
                        .build();
    }

    void stage(NodeBlockingStub node) {
        var _ = patient(node)
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setStagingTargetPath(staging().toString())
                        .setVolumeCapability(capability())
                        .putAllVolumeContext(context)
                        .putAllSecrets(secrets)
                        .build());
    }

    void publish(NodeBlockingStub node) {
        var _ = patient(node)
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setStagingTargetPath(staging().toString())
                        .setTargetPath(pod().toString())
                        .setVolumeCapability(capability())
                        .putAllVolumeContext(context)
                        .build());
    }

    long expand(NodeBlockingStub node, long bytes) {
        return patient(node)
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setVolumePath(pod().toString())
                        .setStagingTargetPath(staging().toString())
                        .setVolumeCapability(capability())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .build())
                .getCapacityBytes();
    }

    long totalBytes(NodeBlockingStub node) {
        return patient(node)
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(handle)
                        .setVolumePath(pod().toString())
                        .build())
                .getUsage(0)
                .getTotal();
    }

    void unpublish(NodeBlockingStub node) {
        var _ = patient(node)
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setTargetPath(pod().toString())
                        .build());
    }

    void unstage(NodeBlockingStub node) {
        var _ = patient(node)
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setStagingTargetPath(staging().toString())
                        .build());
    }
}
