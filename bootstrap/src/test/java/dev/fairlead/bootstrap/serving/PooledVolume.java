package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.Map;

/** A volume of a pool, and what a pod's node asks for it; a driver that is started anew is asked the same way. */
record PooledVolume(Path folder, Volume volume, VolumeCapability capability) {
    String id() {
        return volume.getVolumeId();
    }

    Map<String, String> context() {
        return volume.getVolumeContextMap();
    }

    private String name() {
        return id().substring(id().lastIndexOf('/') + 1);
    }

    private Path staging() {
        return folder.resolve("staging-" + name());
    }

    Path pod() {
        return folder.resolve("pod-" + name());
    }

    Path image(String pool) {
        return folder.resolve(pool).resolve("v").resolve(name()).resolve("disk.img");
    }

    void stageAndPublish(RunningDriver driver) {
        var _ = driver.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setStagingTargetPath(staging().toString())
                        .setVolumeCapability(capability)
                        .putAllVolumeContext(context())
                        .build());
        var _ = driver.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setStagingTargetPath(staging().toString())
                        .setTargetPath(pod().toString())
                        .setVolumeCapability(capability)
                        .putAllVolumeContext(context())
                        .build());
    }

    long total(RunningDriver driver) {
        return driver.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id())
                        .setVolumePath(pod().toString())
                        .setStagingTargetPath(staging().toString())
                        .build())
                .getUsage(0)
                .getTotal();
    }

    void grow(RunningDriver driver, long bytes) {
        CapacityRange more = CapacityRange.newBuilder().setRequiredBytes(bytes).build();
        assertThat(driver.controller()
                        .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                .setVolumeId(id())
                                .setCapacityRange(more)
                                .setVolumeCapability(capability)
                                .build())
                        .getNodeExpansionRequired())
                .isTrue();
        var _ = driver.node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setVolumePath(pod().toString())
                        .setStagingTargetPath(staging().toString())
                        .setCapacityRange(more)
                        .setVolumeCapability(capability)
                        .build());
    }

    void unpublishAndUnstage(RunningDriver driver) {
        var _ = driver.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setTargetPath(pod().toString())
                        .build());
        var _ = driver.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(id())
                        .setStagingTargetPath(staging().toString())
                        .build());
        assertThat(staging()).doesNotExist();
        assertThat(pod()).doesNotExist();
    }

    void delete(RunningDriver driver) {
        var _ = driver.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id()).build());
    }
}
