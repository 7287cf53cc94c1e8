package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readings of a pool take over from those before, on a file system of its own (tmpfs; mounting needs root). */
class PoolReadingsTest {
    private static final long MIB = 1L << 20;

    @TempDir
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Mounts.assumeTmpfs(disk);
        Files.createDirectory(disk.resolve("v"));
    }

    @AfterEach
    void unmount() throws Exception {
        Mounts.unmount(disk);
    }

    private static void make(VolumeStore store, String name, long mib) {
        store.create(
                store.plan(TestVolumes.sized(name, Capacity.ofBytes(mib * MIB)), new NativeId(name)),
                TestWork.patient());
    }

    private static void delete(VolumeStore store, String name) {
        store.delete(new NativeId(name), OnDependents.REFUSE, TestWork.patient());
    }

    private static long free(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available().bytes();
    }

    /** What nobody has touched is not looked at, so that what is written into its record stays unseen for a minute. */
    @Test
    void what_was_made_grown_or_deleted_is_in_the_next_reading_and_the_one_after() throws IOException {
        SteppingClock clock = SteppingClock.standing();
        PoolFixture fixture =
                new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of()), clock);
        try (VolumeStore store = fixture.open(PoolFixture.pool("legacy", disk, "directory"))) {
            long all = free(store);
            for (String name : List.of("pvc-a", "pvc-b", "pvc-c")) {
                make(store, name, 10);
            }
            clock.advance(Duration.ofMinutes(2));
            assertThat(all - free(store)).isBetween(30 * MIB, 31 * MIB);

            Path record = disk.resolve(".fairlead/volumes/pvc-b.json");
            Files.writeString(record, Files.readString(record).replace("10485760", "20971520"));
            make(store, "pvc-d", 5);
            clock.advance(Duration.ofSeconds(2));
            assertThat(all - free(store)).isBetween(35 * MIB, 36 * MIB);
            store.expand(new NativeId("pvc-a"), TestVolumes.atLeast(Capacity.ofBytes(12 * MIB)), TestWork.patient());
            delete(store, "pvc-d");
            for (int i = 0; i < 2; i++) {
                clock.advance(Duration.ofSeconds(2));
                assertThat(all - free(store)).isBetween(32 * MIB, 33 * MIB);
                make(store, "pvc-again", 1);
                delete(store, "pvc-again");
            }
            clock.advance(Duration.ofMinutes(1));
            assertThat(all - free(store)).isBetween(42 * MIB, 43 * MIB);
        }
    }

    /** A record that another process has changed is seen by who looks at all of them. */
    @Test
    void a_clone_that_is_refused_lets_nobody_look_at_everything() throws IOException {
        SteppingClock clock = SteppingClock.standing();
        PoolFixture fixture = new PoolFixture("prepared", new Attached(), new SystemDisk(List.of()), clock);
        try (VolumeStore store = fixture.open(PoolFixture.pool("legacy", disk, "image"))) {
            long all = free(store);
            make(store, "pvc-a", 10);
            make(store, "pvc-b", 10);
            clock.advance(Duration.ofMinutes(2));
            assertThat(all - free(store)).isBetween(20 * MIB, 21 * MIB);

            Path record = disk.resolve(".fairlead/volumes/pvc-b.json");
            Files.writeString(record, Files.readString(record).replace("10485760", "20971520"));
            CreateRequest clone = TestVolumes.fromVolume("pvc-c", new NativeId("pvc-a"));
            Birth birth = store.plan(clone, new NativeId("pvc-c"));
            assertThatThrownBy(() -> store.create(birth, TestWork.patient())).hasMessageContaining("/dev/loop7");

            make(store, "pvc-d", 5);
            clock.advance(Duration.ofSeconds(2));
            assertThat(all - free(store)).isBetween(25 * MIB, 26 * MIB);
        }
    }

    /** Stands for a machine on which all images are attached, without shared blocks. */
    private static final class Attached implements ImageUse {
        @Override
        public Optional<Path> device(Path image) {
            return Optional.of(Path.of("/dev/loop7"));
        }

        @Override
        public boolean sharesBlocks(Path scratch) {
            return false;
        }
    }
}
