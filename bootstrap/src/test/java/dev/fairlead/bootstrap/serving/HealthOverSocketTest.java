package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.VolumeHealth;
import csi.v1.VolumeHealthErrorType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose volume lies on a file system that the kernel shuts down, and what its callers are told. */
class HealthOverSocketTest {
    private static final String MANUAL = """
            driver: node-manual
            fairlead: {node: {hostPathRoots: ["@DIR@/volumes"]}}
            """;
    private static final int VOLUME_CONDITION = 4;

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void a_file_system_that_can_be_shut_down() throws Exception {
        NodeShell.assumeItMounts(folder);
        Path volumes = Files.createDirectories(folder.resolve("volumes"));
        Path disk = folder.resolve("disk");
        try (RandomAccessFile all = new RandomAccessFile(disk.toFile(), "rw")) {
            all.setLength(320L << 20);
        }
        boolean mounted = NodeShell.run("mkfs.xfs", "-q", disk.toString()) == 0
                && NodeShell.run("mount", "-o", "loop", disk.toString(), volumes.toString()) == 0;
        assumeTrue(mounted, "left out: needs XFS and a loop device");
        Files.createDirectories(volumes.resolve("media"));
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private KubeletVolume volume() {
        return new KubeletVolume(
                "media",
                folder,
                false,
                Map.of(
                        "node_attach_driver",
                        "hostpath",
                        "provisioner_driver",
                        "node-manual",
                        "path",
                        folder.resolve("volumes/media").toString()),
                Map.of());
    }

    private RunningDriver driver(String more) throws IOException {
        return new RunningDriver(folder).main(MANUAL + more).env("CSI_NODE_ID", "n1");
    }

    private static VolumeHealth health(RunningDriver driver, KubeletVolume volume) {
        return driver.node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume.handle())
                        .setStagingTargetPath(volume.staging().toString())
                        .setVolumePublishPath(volume.pod().toString())
                        .build())
                .getVolumeHealth();
    }

    private void shutDown() throws IOException, InterruptedException {
        assumeTrue(
                NodeShell.run(
                                "xfs_io",
                                "-x",
                                "-c",
                                "shutdown",
                                folder.resolve("volumes").toString())
                        == 0,
                "left out: no xfs_io");
    }

    @Test
    void a_volume_is_well_until_its_file_system_is_shut_down() throws Exception {
        KubeletVolume volume = volume();
        try (RunningDriver driver = driver("").start("node")) {
            volume.stage(driver.node());
            volume.publish(driver.node());
            assertThat(health(driver, volume).getVolumeId()).isEqualTo("media");
            assertThat(health(driver, volume).getHealthStatusesList()).isEmpty();

            shutDown();

            assertThat(health(driver, volume).getHealthStatusesList())
                    .singleElement()
                    .satisfies(it -> {
                        assertThat(it.getStatus()).isEqualTo(VolumeHealthErrorType.INACCESSIBLE);
                        assertThat(it.getReason()).isEqualTo("FilesystemShutDown");
                        assertThat(it.getMessage()).contains("delete the pods");
                    });
            assertThat(driver.node()
                            .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                            .getBackendHealthList())
                    .isEmpty();
            volume.unpublish(driver.node());
            volume.unstage(driver.node());
            assertThat(NodeShell.mounts(folder)).hasSize(1);
        }
    }

    @Test
    void a_kubelet_before_csi_1_13_is_told_the_condition_where_the_main_file_offers_it() throws Exception {
        KubeletVolume volume = volume();
        String offered = """
                service:
                  node:
                    capabilities: {rpc: [STAGE_UNSTAGE_VOLUME, GET_VOLUME_STATS, VOLUME_CONDITION]}
                """;
        try (RunningDriver driver = driver(offered).start("node")) {
            assertThat(driver
                            .node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(it -> it.getRpc().getTypeValue()))
                    .containsExactlyInAnyOrder(1, 2, VOLUME_CONDITION);
            volume.stage(driver.node());
            volume.publish(driver.node());

            var stats = driver.node()
                    .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                            .setVolumeId(volume.handle())
                            .setVolumePath(volume.pod().toString())
                            .build());

            assertThat(stats.getUsageCount()).isEqualTo(2);
            assertThat(stats.getUnknownFields().getField(2).getLengthDelimitedList())
                    .singleElement()
                    .satisfies(it -> assertThat(it.toStringUtf8()).contains("nothing is known to be wrong"));
            assertThatThrownBy(() -> health(driver, volume))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
        }
    }

    @Test
    void the_usual_node_offers_the_calls_of_csi_1_13_alone() throws Exception {
        try (RunningDriver driver = driver("").start("node")) {
            assertThat(driver.node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .toString())
                    .contains("GET_VOLUME_HEALTH", "GET_STORAGE_HEALTH")
                    .doesNotContain("type: 4");
        }
    }
}
