package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool promises, on a file system of 64 MiB of its own (tmpfs; mounting needs root). */
class PoolRoomTest {
    private static final long MIB = 1L << 20;

    @TempDir
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Process mounted = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64m", "none", disk.toString())
                .redirectErrorStream(true)
                .start();
        Assumptions.assumeTrue(mounted.waitFor() == 0, "left out: mounting needs root");
        Files.createDirectories(disk.resolve("v"));
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString()).start().waitFor();
    }

    /** The records are read once, since the clock stands, and again after a deletion. */
    private VolumeStore openForAMoment() {
        return openAt(SteppingClock.standing());
    }

    private VolumeStore openAt(SteppingClock clock) {
        return new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of()), clock)
                .open(PoolFixture.pool("legacy", disk, "image"));
    }

    private VolumeStore open(String kind, Map<String, String> more) {
        return new PoolFixture("prepared").open(PoolFixture.pool("legacy", disk, kind, more));
    }

    private static StoredVolume make(VolumeStore store, String name, long mib) {
        CreateRequest request = TestVolumes.sized(name, Capacity.ofBytes(mib * MIB));
        return store.create(store.plan(request, new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static void fill(StoredVolume image, long mib) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.medium().path(), "rw")) {
            file.write(new byte[(int) (mib * MIB)]);
        }
    }

    /** Writes to the record of a volume of 10 MiB that it has 20, as another process does. */
    private void witness(String id) throws IOException {
        Path record = disk.resolve(".fairlead/volumes").resolve(id + ".json");
        Files.writeString(record, Files.readString(record).replace("10485760", "20971520"));
    }

    private static long free(VolumeStore store) {
        return room(store).available().bytes() / MIB;
    }

    private static Room room(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient());
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.OutOfSpace.class));
    }

    @Test
    void what_is_promised_is_not_promised_again_the_moment_after() {
        try (VolumeStore store = openForAMoment()) {
            assertThat(free(store)).isBetween(63L, 64L);

            make(store, "pvc-a", 40);

            assertThat(free(store)).isBetween(23L, 24L);
            assertThat(room(store).largest().orElseThrow())
                    .isEqualTo(room(store).available());
            refused(() -> make(store, "pvc-b", 30));
            assertThat(store.find(new NativeId("pvc-b"), TestWork.patient())).isEmpty();
            make(store, "pvc-c", 20);
            refused(() -> store.expand(
                    new NativeId("pvc-a"), TestVolumes.atLeast(Capacity.ofBytes(60 * MIB)), TestWork.patient()));
            store.expand(new NativeId("pvc-a"), TestVolumes.atLeast(Capacity.ofBytes(42 * MIB)), TestWork.patient());
            assertThat(free(store)).isBetween(1L, 2L);
            store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());
            assertThat(free(store)).isBetween(43L, 44L);
        }
    }

    @Test
    void a_clock_that_is_set_back_keeps_no_reading_for_longer() throws IOException {
        SteppingClock clock = SteppingClock.standing();
        try (VolumeStore store = openAt(clock)) {
            make(store, "pvc-a", 20);
            assertThat(free(store)).isBetween(43L, 44L);
            Files.write(disk.resolve("others"), new byte[(int) (30 * MIB)]);
            clock.advance(Duration.ofHours(-1));
            assertThat(free(store)).isBetween(13L, 14L);
        }
    }

    @Test
    void where_a_reading_takes_long_it_is_used_for_longer_but_not_for_what_others_wrote() throws IOException {
        SteppingClock clock = SteppingClock.by(Duration.ofMillis(300));
        try (VolumeStore store = openAt(clock)) {
            make(store, "pvc-a", 10);
            clock.advance(Duration.ofHours(1));
            assertThat(free(store)).isBetween(53L, 54L);
            witness("pvc-a");
            clock.advance(Duration.ofSeconds(1));
            Files.write(disk.resolve("others"), new byte[(int) (20 * MIB)]);
            assertThat(free(store)).as("the witness is not seen").isBetween(33L, 34L);
            clock.advance(Duration.ofSeconds(5));
            assertThat(free(store)).isBetween(23L, 24L);
        }
    }

    /** Another's record is a witness: it is seen by a reading, and nothing but a reading. */
    @Test
    void after_a_deletion_the_other_volumes_are_not_read_again() throws IOException {
        try (VolumeStore store = openForAMoment()) {
            fill(make(store, "pvc-a", 20), 8);
            make(store, "pvc-b", 10);
            assertThat(free(store)).isBetween(33L, 34L);
            witness("pvc-b");

            store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());

            assertThat(free(store)).isBetween(53L, 54L);
        }
        try (VolumeStore store = openForAMoment()) {
            assertThat(free(store)).as("by a new reading").isBetween(43L - 8, 44L);
        }
    }

    @Test
    void what_a_deleted_volume_used_is_not_counted_as_used_any_more() throws Exception {
        try (VolumeStore store = openForAMoment()) {
            fill(make(store, "pvc-a", 20), 16);
            make(store, "pvc-b", 10);
        }
        try (VolumeStore store = openForAMoment()) {
            assertThat(free(store)).isBetween(33L, 34L);

            store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());

            assertThat(free(store))
                    .as("16 MiB of it count as room with the next reading")
                    .isBetween(37L, 38L);
            refused(() -> make(store, "pvc-c", 39));
        }
    }

    @Test
    void what_a_volume_uses_of_its_promise_counts_once() throws IOException {
        try (VolumeStore store = open("image", Map.of())) {
            StoredVolume volume = make(store, "pvc-a", 40);
            fill(volume, 30);

            assertThat(free(store)).isBetween(23L, 24L);
            assertThat(make(store, "pvc-a", 40)).isEqualTo(volume);
        }
        try (VolumeStore next = open("image", Map.of())) {
            assertThat(free(next)).isBetween(23L, 24L);
        }
    }

    @Test
    void what_others_write_beside_the_pool_is_not_there_for_volumes() throws IOException {
        try (VolumeStore store = open("image", Map.of())) {
            make(store, "pvc-a", 20);
            Files.write(disk.resolve("others"), new byte[(int) (30 * MIB)]);

            assertThat(free(store)).isBetween(13L, 14L);
            refused(() -> make(store, "pvc-b", 20));
        }
    }

    @Test
    void a_snapshot_takes_the_room_of_its_copy() throws IOException {
        try (VolumeStore store = open("image", Map.of())) {
            StoredVolume volume = make(store, "pvc-a", 20);
            fill(volume, 10);
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());

            assertThat(free(store)).isBetween(33L, 34L);
        }
    }

    @Test
    void a_snapshot_does_not_take_the_room_that_is_promised_to_others() throws IOException {
        try (VolumeStore store = openForAMoment()) {
            StoredVolume volume = make(store, "pvc-a", 30);
            fill(volume, 25);
            make(store, "pvc-b", 20);

            refused(() -> take(store, volume));
            assertThat(disk.resolve("s")).isEmptyDirectory();

            store.delete(new NativeId("pvc-b"), OnDependents.REFUSE, TestWork.patient());
            long before = free(store);
            StoredSnapshot snapshot = take(store, volume);
            assertThat(before - free(store)).isBetween(24L, 26L);
            store.snapshots().orElseThrow().delete(snapshot.id(), TestWork.patient());
            assertThat(before - free(store)).isBetween(-1L, 1L);
        }
    }

    @Test
    void a_snapshot_of_a_folder_takes_the_size_of_its_volume() {
        try (VolumeStore store = open("directory", Map.of())) {
            StoredVolume volume = make(store, "pvc-a", 40);

            refused(() -> take(store, volume));
        }
    }

    private static StoredSnapshot take(VolumeStore store, StoredVolume volume) {
        return store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());
    }

    @Test
    void an_image_that_grew_further_than_its_record_counts_as_it_is() throws IOException {
        try (VolumeStore store = open("image", Map.of())) {
            StoredVolume volume = make(store, "pvc-a", 10);
            try (RandomAccessFile image = new RandomAccessFile(volume.medium().path(), "rw")) {
                image.setLength(50 * MIB); // and the process was killed before it wrote the record
            }
        }
        try (VolumeStore next = open("image", Map.of())) {
            assertThat(free(next)).isBetween(13L, 14L);
            refused(() -> make(next, "pvc-b", 20));
        }
    }

    @Test
    void a_reserve_is_kept_and_overcommit_multiplies_the_rest() {
        try (VolumeStore store = open("image", Map.of("reserve", "25%", "overcommit", "2"))) {
            assertThat(free(store)).isBetween(95L, 96L);
            assertThat(room(store).largest().orElseThrow().bytes() / MIB).isBetween(47L, 48L);

            make(store, "pvc-a", 45);

            assertThat(free(store)).isBetween(50L, 51L);
        }
    }

    @Test
    void folders_count_as_full_as_far_as_the_disk_is() throws IOException {
        try (VolumeStore store = open("directory", Map.of())) {
            StoredVolume volume = make(store, "pvc-a", 40);
            assertThat(free(store)).isBetween(23L, 24L);

            Files.write(Path.of(volume.medium().path(), "data"), new byte[(int) (30 * MIB)]);

            assertThat(free(store)).isBetween(23L, 24L);
            refused(() -> make(store, "pvc-b", 30));
        }
    }

    @Test
    void many_at_once_are_not_promised_more_than_there_is() {
        try (VolumeStore store = open("image", Map.of())) {
            AtomicInteger made = new AtomicInteger();
            AtomicInteger number = new AtomicInteger();
            Runnable one = () -> {
                try {
                    make(store, "pvc-" + number.incrementAndGet(), 15);
                    made.incrementAndGet();
                } catch (StorageException e) {
                    assertThat(e.failure()).isInstanceOf(Failure.OutOfSpace.class);
                }
            };
            Concurrently.run(Collections.nCopies(16, one));

            assertThat(made.get()).isEqualTo(4);
            assertThat(free(store)).isLessThan(4L);
        }
    }

    @Test
    void a_pool_that_must_not_share_the_systems_disk_makes_nothing_there_and_has_no_room() {
        PoolFixture there = new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of(disk)));
        Map<String, String> refusing = Map.of("systemDisk", "refuse");
        try (VolumeStore store = there.openTold(PoolFixture.pool("legacy", disk, "image", refusing))) {
            assertThatThrownBy(() -> make(store, "pvc-a", 1))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
            assertThat(room(store).available()).isEqualTo(Capacity.ZERO);
        }
    }
}
