package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver of both halves that makes, mounts and grows volumes of a pool of this machine, asked over its socket;
 * {@code FAIRLEAD_ZFS_POOL} names a pool of which all can be lost that is below its dataset {@code local-test}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_ZFS_POOL", matches = "\\w+")
class ZfsLocalOverSocketTest {
    private static final long MIB = 1L << 20;

    private final String parent =
            Optional.ofNullable(System.getenv("FAIRLEAD_ZFS_POOL")).orElse("none") + "/local-test";

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void make_the_parents() throws Exception {
        zfs("create", "-p", "-o", "mountpoint=none", parent + "/dataset");
        zfs("create", "-p", "-o", "mountpoint=none", parent + "/zvol");
    }

    @AfterEach
    void remove_the_parents() throws Exception {
        zfs("destroy", "-r", parent);
    }

    private static String zfs(String... words) throws Exception {
        List<String> argv = new ArrayList<>(List.of("zfs"));
        argv.addAll(List.of(words));
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", argv, said).isZero();
        return said.strip();
    }

    private RunningDriver driver() throws Exception {
        RunningDriver driver = RunningDriver.proxy(folder);
        for (String kind : List.of("dataset", "zvol")) {
            var _ = driver.connection(
                    kind,
                    "driver: zfs-local-" + kind + "\nzfs: {datasetParentName: " + parent + "/" + kind
                            + ", datasetEnableQuotas: true}\n");
        }
        return driver.start();
    }

    /** One volume, and what a pod's node asks for it. */
    private final class Used {
        private final RunningDriver driver;
        private final VolumeCapability capability;
        private final Volume volume;
        private final Path staging;
        private final Path pod;

        Used(RunningDriver driver, String connection, VolumeCapability capability) {
            this.driver = driver;
            this.capability = capability;
            this.staging = folder.resolve("staging-" + connection);
            this.pod = folder.resolve("pod-" + connection);
            this.volume = driver.controller()
                    .createVolume(RunningDriver.volume("pvc-" + connection, Map.of("connection", connection))
                            .clearVolumeCapabilities()
                            .addVolumeCapabilities(capability)
                            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(128 * MIB))
                            .build())
                    .getVolume();
        }

        /** A volume's device may not be there yet, which kubelet would ask for again as well. */
        void stageAndPublish() throws InterruptedException {
            NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                    .setVolumeId(volume.getVolumeId())
                    .setStagingTargetPath(staging.toString())
                    .setVolumeCapability(capability)
                    .putAllVolumeContext(volume.getVolumeContextMap())
                    .build();
            for (int left = 20; ; left--) {
                try {
                    var _ = driver.node().nodeStageVolume(request);
                    break;
                } catch (StatusRuntimeException e) {
                    if (left == 0 || !String.valueOf(e.getMessage()).contains("volmode")) {
                        throw e;
                    }
                    TimeUnit.MILLISECONDS.sleep(500);
                }
            }
            var _ = driver.node()
                    .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setStagingTargetPath(staging.toString())
                            .setTargetPath(pod.toString())
                            .setVolumeCapability(capability)
                            .putAllVolumeContext(volume.getVolumeContextMap())
                            .build());
        }

        long total() {
            return driver.node()
                    .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setVolumePath(pod.toString())
                            .setStagingTargetPath(staging.toString())
                            .build())
                    .getUsage(0)
                    .getTotal();
        }

        void grow() {
            CapacityRange more =
                    CapacityRange.newBuilder().setRequiredBytes(256 * MIB).build();
            boolean nodeToo = driver.controller()
                    .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setCapacityRange(more)
                            .setVolumeCapability(capability)
                            .build())
                    .getNodeExpansionRequired();
            if (nodeToo) {
                var _ = driver.node()
                        .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .setVolumePath(pod.toString())
                                .setStagingTargetPath(staging.toString())
                                .setCapacityRange(more)
                                .setVolumeCapability(capability)
                                .build());
            }
        }

        void unpublishAndUnstage() throws IOException {
            var _ = driver.node()
                    .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setTargetPath(pod.toString())
                            .build());
            var _ = driver.node()
                    .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .setStagingTargetPath(staging.toString())
                            .build());
            assertThat(NodeShell.mounts(folder)).isEmpty();
            assertThat(staging).doesNotExist();
            assertThat(pod).doesNotExist();
        }

        void delete() {
            var _ = driver.controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .build());
        }
    }

    private static VolumeCapability mounted(String type) {
        return RunningDriver.mounted().toBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(type))
                .build();
    }

    @Test
    void a_dataset_is_mounted_grown_taken_away_and_mounted_again() throws Exception {
        try (RunningDriver driver = driver()) {
            Used used = new Used(driver, "dataset", mounted("zfs"));
            used.stageAndPublish();
            Files.writeString(used.pod.resolve("file"), "here");
            long before = used.total();
            used.grow();

            assertThat(before).isBetween(90 * MIB, 129 * MIB);
            assertThat(used.total()).isGreaterThan(before + 90 * MIB);
            used.unpublishAndUnstage();

            isStillThere(used, "zfs");
        }
    }

    /** ZFS tells Linux of a volume's new size in a way that loses what a mounted file system has not written yet. */
    @Test
    void a_volume_gets_its_file_system_once_and_grows_when_it_is_unstaged() throws Exception {
        try (RunningDriver driver = driver()) {
            Used used = new Used(driver, "zvol", mounted("ext4"));
            used.stageAndPublish();
            Files.writeString(used.pod.resolve("file"), "here");
            long before = used.total();

            assertThatThrownBy(used::grow)
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("FAILED_PRECONDITION")
                    .hasMessageContaining("end all pods");
            assertThat(used.total()).isEqualTo(before);
            used.unpublishAndUnstage();
            used.stageAndPublish();
            used.grow();

            assertThat(before).isBetween(90 * MIB, 129 * MIB);
            assertThat(used.total()).isGreaterThan(before + 90 * MIB);
            used.unpublishAndUnstage();

            isStillThere(used, "ext4");
        }
    }

    private void isStillThere(Used used, String type) throws Exception {
        used.stageAndPublish();
        assertThat(NodeShell.mounts(folder)).hasSize(2).allMatch(line -> line.contains(" - " + type + " "));
        assertThat(used.pod.resolve("file")).hasContent("here");
        used.unpublishAndUnstage();
        used.delete();
        assertThat(zfs("list", "-H", "-o", "name", "-r", parent).lines())
                .containsExactly(parent, parent + "/dataset", parent + "/zvol");
    }

    @Test
    void a_volume_as_a_raw_device_shows_its_growth_at_once() throws Exception {
        VolumeCapability block = RunningDriver.mounted().toBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .build();
        try (RunningDriver driver = driver()) {
            Used used = new Used(driver, "zvol", block);
            used.stageAndPublish();
            byte[] text = "raw".getBytes(StandardCharsets.UTF_8);
            try (FileChannel device = FileChannel.open(used.pod, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                var _ = device.write(ByteBuffer.wrap(text), 4096);
                device.force(false);
            }
            used.grow();

            try (FileChannel device = FileChannel.open(used.pod, StandardOpenOption.READ)) {
                ByteBuffer read = ByteBuffer.allocate(text.length);
                var _ = device.read(read, 4096);
                assertThat(read.array()).isEqualTo(text);
                assertThat(device.size()).isEqualTo(256 * MIB);
            }
            assertThat(used.total()).isEqualTo(256 * MIB);
            used.unpublishAndUnstage();
            used.delete();
        }
    }
}
