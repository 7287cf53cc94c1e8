package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.DeleteVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process with both halves answers about volumes that it has mounted. */
class MountedVolumesOverSocketTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void may_mount() throws Exception {
        NodeShell.assumeItMounts(folder);
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private RunningDriver started() throws Exception {
        return RunningDriver.proxy(folder).start();
    }

    private RunningDriver withConnection() throws Exception {
        return RunningDriver.proxy(folder).localConnection("disk", "").start();
    }

    private void stage(RunningDriver driver, Volume volume, Path staging) {
        var _ = driver.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(RunningDriver.mounted())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    private void publish(RunningDriver driver, Volume volume, Path staging, Path target) {
        var _ = driver.node()
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .setTargetPath(target.toString())
                        .setVolumeCapability(RunningDriver.mounted())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .build());
    }

    private void unpublish(RunningDriver driver, Volume volume, Path target) {
        var _ = driver.node()
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setTargetPath(target.toString())
                        .build());
    }

    private void unstage(RunningDriver driver, Volume volume, Path staging) {
        var _ = driver.node()
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .build());
    }

    private static void delete(RunningDriver driver, Volume volume) {
        var _ = driver.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .build());
    }

    private static void isInUse(RunningDriver driver, Volume volume, Path at) {
        assertThatThrownBy(() -> delete(driver, volume))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION))
                .hasMessageContaining("FL-VOL-003")
                .hasMessageContaining(at.toString());
    }

    @Test
    void a_volume_that_a_pod_has_is_not_deleted_by_this_process_or_the_next() throws Exception {
        Path staging = folder.resolve("staging");
        Path target = folder.resolve("target");
        Volume volume;
        try (RunningDriver driver = withConnection()) {
            volume = driver.create("pvc-1");
            Volume other = driver.create("pvc-10");
            stage(driver, volume, staging);
            Files.writeString(staging.resolve("data"), "precious");

            isInUse(driver, volume, staging);
            publish(driver, volume, staging, target);
            isInUse(driver, volume, staging);
            delete(driver, other);
        }
        try (RunningDriver driver = started()) {
            isInUse(driver, volume, staging);
            unstage(driver, volume, staging);
            isInUse(driver, volume, target);

            assertThat(target.resolve("data")).hasContent("precious");
            unpublish(driver, volume, target);
            delete(driver, volume);
        }
        assertThat(folder.resolve("volumes-disk/v")).isEmptyDirectory();
    }

    @Test
    void a_part_of_a_volume_that_a_container_has_counts_too() throws Exception {
        try (RunningDriver driver = withConnection()) {
            Volume volume = driver.create("pvc-1");
            Path part = Files.createDirectories(folder.resolve("volumes-disk/v/pvc-1/database"));
            Path subPath = Files.createDirectory(folder.resolve("subpath"));
            NodeShell.must("mount", "--bind", part.toString(), subPath.toString());

            isInUse(driver, volume, subPath);
            NodeShell.must("umount", subPath.toString());
            delete(driver, volume);
        }
    }

    @Test
    void what_kubelet_has_staged_and_no_pod_has_may_be_deleted() throws Exception {
        Path staging = folder.resolve("plugins/kubernetes.io/csi/test.fairlead.dev")
                .resolve("ab".repeat(32))
                .resolve("globalmount");
        try (RunningDriver driver = withConnection()) {
            Volume volume = driver.create("pvc-1");
            stage(driver, volume, staging);

            delete(driver, volume);

            assertThat(folder.resolve("volumes-disk/v")).isEmptyDirectory();
            unstage(driver, volume, staging);
        }
    }

    @Test
    void a_volume_is_mounted_though_its_connection_s_file_is_gone_or_broken() throws Exception {
        Path file = folder.resolve("connections/disk.yaml");
        Volume volume;
        try (RunningDriver driver = withConnection()) {
            volume = driver.create("pvc-1");
            Files.delete(file);
            untilUnavailable(driver, volume);

            stage(driver, volume, folder.resolve("staging"));
            unstage(driver, volume, folder.resolve("staging"));
        }
        Files.writeString(file, "driver: [");
        try (RunningDriver driver = started()) {
            stage(driver, volume, folder.resolve("staging"));
            unstage(driver, volume, folder.resolve("staging"));
        }
    }

    @Test
    void where_its_folder_is_not_known_either_the_call_is_repeated_until_the_connection_is_back() throws Exception {
        Path file = folder.resolve("connections/disk.yaml");
        Volume volume;
        try (RunningDriver driver = withConnection()) {
            volume = driver.create("pvc-1");
        }
        Files.delete(folder.resolve("csi.sock.host-paths"));
        Files.delete(file);
        try (RunningDriver driver = started()) {
            RunningDriver.isUnavailable("FL-CON-001", () -> stage(driver, volume, folder.resolve("staging")));
        }
        Files.writeString(file, "driver: [");
        try (RunningDriver driver = started()) {
            RunningDriver.isUnavailable("FL-CON-002", () -> stage(driver, volume, folder.resolve("staging")));
            unstage(driver, volume, folder.resolve("staging"));
        }
    }

    private static void untilUnavailable(RunningDriver driver, Volume volume) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            try {
                driver.create("pvc-1");
            } catch (StatusRuntimeException e) {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("the connection of " + volume.getVolumeId() + " is still there");
    }
}
