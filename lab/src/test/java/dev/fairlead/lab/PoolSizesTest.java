package dev.fairlead.lab;

import static dev.fairlead.lab.abuse.machine.Shell.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CapacityRange;
import csi.v1.Volume;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes past the sizes of volumes of local pools, also after kills of the driver and after a growth. */
final class PoolSizesTest {
    private static final Path FOLDERS = Path.of("/var/tmp/fairlead-pool-sizes");
    private static final int PIECE = 64 << 10;
    private static final long SIZE = 64 << 20;

    /** What a file system keeps of a size for itself: names, and the room that it reserves. */
    private static final long OWN = SIZE / 4;

    /** Each place is removed by its test, so that what is left here is the folder above them. */
    @AfterAll
    static void clear() throws IOException {
        Files.deleteIfExists(FOLDERS);
    }

    @ParameterizedTest
    @EnumSource(names = {"IMAGE", "BTRFS"})
    void a_size_holds_to_the_block_after_kills_and_a_growth(CrashKind kind) throws Exception {
        holds(kind);
    }

    @ParameterizedTest
    @EnumSource(names = {"XFS", "EXT4"})
    @Tag("long")
    void a_project_holds_to_the_block_after_kills_and_a_growth(CrashKind kind) throws Exception {
        holds(kind);
    }

    private static void holds(CrashKind kind) throws Exception {
        CrashPlace place = CrashPlace.in(FOLDERS.resolve(kind.name().toLowerCase(Locale.ROOT)), kind, Scenario.EXPAND);
        DriverProcess driver = place.driver().start();
        try {
            Used full = Used.of(place, kind, "full");
            Used neighbour = Used.of(place, kind, "neighbour");
            full.publish(place);
            neighbour.publish(place);

            full.fillsUpTo(SIZE, kind);
            Files.write(neighbour.target().resolve("file"), new byte[PIECE]);
            driver.kill();
            full.takesNoMore();
            driver = place.driver().start();
            full.publish(place);
            full.takesNoMore();

            if (!kind.isImage() || growsMountedExt4()) {
                full.grow(place);
                full.fillsUpTo(2 * SIZE, kind);
                driver.kill();
                driver = place.driver().start();
                full.publish(place);
                full.takesNoMore();
            }
            assertThat(Files.size(neighbour.target().resolve("file"))).isEqualTo(PIECE);
            Files.write(neighbour.target().resolve("more"), new byte[PIECE]);

            full.remove(place);
            neighbour.remove(place);
            place.settle();
            assertThat(place.base().resolve("v")).isEmptyDirectory();
        } finally {
            driver.kill();
            place.remove();
        }
    }

    /**
     * Whether the kernel grows a mounted ext4 for this process, which takes CAP_SYS_RESOURCE; root of a container may
     * lack it.
     */
    private static boolean growsMountedExt4() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .map(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .anyMatch(capabilities -> (capabilities >> 24 & 1) == 1);
    }

    /** A volume that a pod uses. */
    private record Used(Volume volume, Path staging, Path target) {
        static Used of(CrashPlace place, CrashKind kind, String name) throws IOException {
            try (CsiClient client = place.client()) {
                Volume volume = client.create(CsiClient.request(name, Map.of())
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(kind.capability())
                        .build());
                Path node = place.folder().resolve("node");
                return new Used(
                        volume, Files.createDirectory(node.resolve(name + "-staging")), node.resolve(name + "-target"));
            }
        }

        /** Stages and publishes it, as kubelet repeats it after a restart of the driver. */
        void publish(CrashPlace place) {
            try (CsiClient client = place.client()) {
                client.stage(volume, staging);
                client.publish(volume, staging, target, false);
            }
        }

        void unpublish(CrashPlace place) {
            try (CsiClient client = place.client()) {
                client.unpublish(volume, target);
                client.unstage(volume, staging);
            }
        }

        void grow(CrashPlace place) {
            try (CsiClient client = place.client()) {
                var _ = client.expand(volume.getVolumeId(), 2 * SIZE);
                client.expandOnNode(volume, staging, target, 2 * SIZE);
            }
        }

        /** Writes until no more fits, and asserts that this was at the size, within a block. */
        void fillsUpTo(long size, CrashKind kind) throws IOException {
            assertThatThrownBy(() -> write("up-to-" + size, size + PIECE))
                    .isInstanceOf(IOException.class)
                    .message()
                    .containsAnyOf("No space left on device", "quota exceeded");
            long own = kind.isImage() ? OWN : 1 << 20;
            assertThat(content()).isBetween(size - own, size);
            if (kind.isImage()) {
                FileStore store = Files.getFileStore(target);
                assertThat(store.getTotalSpace()).isBetween(size - OWN, size);
                assertThat(store.getUsableSpace()).isLessThan(PIECE);
            }
        }

        private long content() throws IOException {
            long bytes = 0;
            try (DirectoryStream<Path> files = Files.newDirectoryStream(target, "up-to-*")) {
                for (Path file : files) {
                    bytes += Files.size(file);
                }
            }
            return bytes;
        }

        /** Writes as a container's root does, without the right by which ext4 lets a process write past a quota. */
        private void write(String file, long bytes) throws IOException {
            try {
                var _ = run(
                        "setpriv",
                        "--bounding-set=-sys_resource",
                        "dd",
                        "if=/dev/zero",
                        "of=" + target.resolve(file),
                        "bs=" + PIECE,
                        "count=" + bytes / PIECE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }

        void takesNoMore() {
            assertThatThrownBy(() -> write("one-more", PIECE))
                    .isInstanceOf(IOException.class)
                    .message()
                    .containsAnyOf("No space left on device", "quota exceeded");
        }

        void remove(CrashPlace place) {
            unpublish(place);
            try (CsiClient client = place.client()) {
                client.delete(volume.getVolumeId());
            }
        }
    }
}
