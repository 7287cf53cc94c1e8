package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CapacityRange;
import csi.v1.CreateSnapshotRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.fairlead.linux.LoopDevices;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A driver of both halves that makes, mounts, fills and grows volumes of a pool on a file system of its own, asked over
 * its socket; needs root and loop devices.
 */
class LocalPoolOverSocketTest {
    private static final long MIB = 1L << 20;

    @TempDir
    Path folder = Path.of("/nonexistent");

    private void mountPool(String mkfs) throws Exception {
        Path disk = folder.resolve("disk.raw");
        Path pool = Files.createDirectories(folder.resolve("pool"));
        Assumptions.assumeTrue(
                NodeShell.run(
                                "sh",
                                "-c",
                                "truncate -s 2G " + disk + " && " + mkfs + " " + disk + " && "
                                        + NodeShell.mountLoop("loop", disk, pool))
                        == 0,
                "left out: this kernel or user mounts no loop device");
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private RunningDriver driver(String kind) throws Exception {
        RunningDriver driver = RunningDriver.proxy(folder);
        if (!Files.exists(folder.resolve("connections/disks.yaml"))) {
            var _ = driver.connection(
                    "disks",
                    "driver: local-pool\nlocal-pool: {pools: [{name: fast, path: \"@DIR@/pool\", kind: " + kind
                            + "}]}\n");
        }
        return driver.start();
    }

    private PooledVolume volume(RunningDriver driver, String name, String fsType) {
        return volume(driver, name, fsType, 320 * MIB, VolumeContentSource.getDefaultInstance());
    }

    private PooledVolume volume(
            RunningDriver driver, String name, String fsType, long bytes, VolumeContentSource source) {
        VolumeCapability capability = RunningDriver.mounted().toBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(fsType))
                .build();
        var request = RunningDriver.volume(name, Map.of("connection", "disks", "storagePool", "fast"))
                .clearVolumeCapabilities()
                .addVolumeCapabilities(capability)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes));
        if (source.hasSnapshot()) {
            request.setVolumeContentSource(source);
        }
        return new PooledVolume(
                folder, driver.controller().createVolume(request.build()).getVolume(), capability);
    }

    private static long room(RunningDriver driver) {
        return driver.controller()
                .getCapacity(GetCapacityRequest.newBuilder()
                        .putParameters("connection", "disks")
                        .putParameters("storagePool", "fast")
                        .build())
                .getAvailableCapacity();
    }

    /** Writes until the file system is full, and returns how many bytes it took. */
    private static long fill(Path file) throws IOException {
        byte[] piece = new byte[(int) MIB];
        long written = 0;
        try (OutputStream out = Files.newOutputStream(file)) {
            while (written < 2048 * MIB) {
                out.write(piece);
                written += piece.length;
            }
        } catch (IOException e) {
            assertThat(e).message().containsAnyOf("No space left on device", "quota exceeded");
        }
        return written;
    }

    @ParameterizedTest
    @CsvSource({"mkfs.xfs -q -m reflink=1,xfs", "mkfs.btrfs -q,xfs", "mkfs.ext4 -q,xfs"})
    void a_write_past_the_size_fails_for_that_volume_alone_also_after_a_growth_and_a_restart(String mkfs, String type)
            throws Exception {
        mountPool(mkfs);
        try (RunningDriver driver = driver("image")) {
            PooledVolume full = volume(driver, "pvc-full", type);
            PooledVolume neighbour = volume(driver, "pvc-neighbour", type);
            full.stageAndPublish(driver);
            neighbour.stageAndPublish(driver);
            Files.writeString(neighbour.pod().resolve("file"), "here");

            long before = room(driver);
            assertThat(fill(full.pod().resolve("filling"))).isBetween(200 * MIB, 320 * MIB);

            assertThat(Files.readString(neighbour.pod().resolve("file"))).isEqualTo("here");
            Files.write(neighbour.pod().resolve("more"), new byte[(int) (32 * MIB)]);
            assertThat(room(driver)).isBetween(before - 32 * MIB, before + 32 * MIB);

            full.grow(driver, 640 * MIB);

            assertThat(full.total(driver)).isBetween(480 * MIB, 640 * MIB);
            assertThat(fill(full.pod().resolve("more"))).isBetween(200 * MIB, 320 * MIB);
        }
        try (RunningDriver next = driver("image")) {
            PooledVolume full = volume(next, "pvc-full", type, 640 * MIB, VolumeContentSource.getDefaultInstance());
            PooledVolume neighbour = volume(next, "pvc-neighbour", type);
            assertThat(Files.readString(neighbour.pod().resolve("file"))).isEqualTo("here");
            assertThatThrownBy(() -> full.delete(next))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("FAILED_PRECONDITION");
            for (PooledVolume volume : List.of(full, neighbour)) {
                volume.unpublishAndUnstage(next);
                assertThat(LoopDevices.ofThisMachine().of(volume.image("pool"))).isEmpty();
                volume.stageAndPublish(next);
            }
            assertThat(full.total(next)).isBetween(480 * MIB, 640 * MIB);
            for (PooledVolume volume : List.of(full, neighbour)) {
                volume.unpublishAndUnstage(next);
                volume.delete(next);
            }
            assertThat(folder.resolve("pool/v")).isEmptyDirectory();
        }
    }

    @Test
    void a_snapshot_of_a_volume_in_use_is_whole_and_is_restored_to_a_larger_one() throws Exception {
        mountPool("mkfs.xfs -q -m reflink=1");
        try (RunningDriver driver = driver("image")) {
            PooledVolume volume = volume(driver, "pvc-a", "xfs");
            volume.stageAndPublish(driver);
            Files.writeString(volume.pod().resolve("file"), "before");
            assertThat(NodeShell.run("sync", "-f", volume.pod().toString())).isZero();
            var snapshot = driver.controller()
                    .createSnapshot(CreateSnapshotRequest.newBuilder()
                            .setName("snap-1")
                            .setSourceVolumeId(volume.id())
                            .build())
                    .getSnapshot();
            Files.writeString(volume.pod().resolve("file"), "after");

            PooledVolume restored = volume(
                    driver,
                    "pvc-b",
                    "xfs",
                    480 * MIB,
                    VolumeContentSource.newBuilder()
                            .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                    .setSnapshotId(snapshot.getSnapshotId()))
                            .build());
            restored.stageAndPublish(driver);

            assertThat(snapshot.getReadyToUse()).isTrue();
            assertThat(Files.readString(restored.pod().resolve("file"))).isEqualTo("before");
            assertThat(Files.readString(volume.pod().resolve("file"))).isEqualTo("after");
            assertThat(restored.total(driver)).isGreaterThan(400 * MIB);
            restored.unpublishAndUnstage(driver);
            volume.unpublishAndUnstage(driver);
        }
    }

    @Test
    void a_subvolume_of_btrfs_is_as_large_as_its_size_says_and_tells_its_own_numbers() throws Exception {
        mountPool("mkfs.btrfs -q");
        try (RunningDriver driver = driver("btrfs")) {
            PooledVolume volume = volume(driver, "pvc-a", "");
            volume.stageAndPublish(driver);
            assertThat(volume.context()).doesNotContainKey("fairlead.dev/size");
            assertThat(volume.total(driver)).isEqualTo(320 * MIB);
            assertThat(fill(volume.pod().resolve("filling"))).isBetween(300 * MIB, 320 * MIB);
            volume.grow(driver, 480 * MIB);
            assertThat(volume.total(driver)).isEqualTo(480 * MIB);
            assertThat(fill(volume.pod().resolve("more"))).isBetween(140 * MIB, 161 * MIB);
            volume.unpublishAndUnstage(driver);
            volume.delete(driver);
        }
    }

    @Test
    void a_pool_of_folders_says_that_its_sizes_are_advisory_and_a_full_pool_that_it_is_full() throws Exception {
        mountPool("mkfs.ext4 -q");
        try (RunningDriver driver = driver("directory")) {
            PooledVolume volume = volume(driver, "pvc-a", "ext4");
            volume.stageAndPublish(driver);
            Files.writeString(volume.pod().resolve("file"), "here");

            assertThat(volume.context()).containsEntry("fairlead.dev/size", "advisory");
            assertThatThrownBy(() -> volume(driver, "pvc-b", "", 4096 * MIB, VolumeContentSource.getDefaultInstance()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("RESOURCE_EXHAUSTED");
            volume.unpublishAndUnstage(driver);
            volume.delete(driver);
        }
    }
}
