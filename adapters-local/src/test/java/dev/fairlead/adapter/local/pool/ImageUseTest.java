package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images that a loop device of this machine shows, in pools on file systems that share blocks and that do not. */
class ImageUseTest {
    private final LoopDevices loops = LoopDevices.ofThisMachine();

    @TempDir
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void place() throws IOException {
        disk = Files.createDirectory(folder.resolve("disk"));
    }

    private void mount(String mkfs) throws Exception {
        Path file = folder.resolve("disk.raw");
        String script = "truncate -s 400M " + file + " && " + mkfs + " " + file + " >/dev/null && mount -o loop " + file
                + " " + disk;
        Process mounted =
                new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        Assumptions.assumeTrue(mounted.waitFor() == 0, "left out: this kernel or user mounts no loop device");
        Files.createDirectories(disk.resolve("v"));
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString())
                .redirectErrorStream(true)
                .start()
                .waitFor();
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static void inUse(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InUse.class));
    }

    @ParameterizedTest
    @CsvSource({"mkfs.xfs -q -m reflink=1,true", "mkfs.btrfs -q,true", "mkfs.ext4 -q,false"})
    void an_image_in_use_is_copied_at_one_instant_or_not_at_all_and_is_not_deleted(String mkfs, boolean shares)
            throws Exception {
        mount(mkfs);
        PoolFixture fixture = new PoolFixture(
                "prepared",
                ImageUse.ofThisMachine(
                        new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofSeconds(10))),
                new SystemDisk(List.of()));
        try (VolumeStore store = fixture.open(PoolFixture.pool("legacy", disk, "image"))) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            PoolContent.write(volume, "data", "precious");
            Path image = Path.of(volume.medium().path());
            loops.attach(image, image.toString());
            try {
                Runnable snapshot = () -> store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());
                Runnable clone = () -> make(store, TestVolumes.fromVolume("pvc-b", volume.id()));
                if (shares) {
                    snapshot.run();
                    clone.run();
                } else {
                    inUse(snapshot);
                    inUse(clone);
                }
                inUse(() -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
                assertThat(PoolContent.read(volume, "data")).contains("precious");
            } finally {
                loops.detach(image);
            }
            store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(store.find(volume.id(), TestWork.patient())).isEmpty();
        }
    }

    /** A file that btrfs keeps without copying on write shares no blocks with one that it keeps so. */
    @Test
    void an_image_in_use_that_shares_no_blocks_is_not_copied_whatever_its_file_system_can() throws Exception {
        mount("mkfs.btrfs -q");
        PoolFixture fixture = new PoolFixture(
                "prepared",
                ImageUse.ofThisMachine(
                        new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofSeconds(10))),
                new SystemDisk(List.of()));
        try (VolumeStore store = fixture.open(PoolFixture.pool("legacy", disk, "image"))) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            Path image = Path.of(volume.medium().path());
            String script =
                    "rm " + image + " && touch " + image + " && chattr +C " + image + " && truncate -s 16M " + image;
            Assumptions.assumeTrue(
                    new ProcessBuilder("sh", "-c", script).start().waitFor() == 0, "no chattr");
            PoolContent.write(volume, "data", "precious");
            loops.attach(image, image.toString());
            try {
                inUse(() -> store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient()));
                inUse(() -> make(store, TestVolumes.fromVolume("pvc-b", volume.id())));
                assertThat(disk.resolve("s")).isEmptyDirectory();
                assertThat(disk.resolve("v/pvc-b")).doesNotExist();
            } finally {
                loops.detach(image);
            }
        }
    }
}
