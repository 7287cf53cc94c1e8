package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sizes of volumes that are datasets, held by the quotas of a kernel that has ZFS. */
@Tag("machine")
class ZfsSizesTest {
    @RegisterExtension
    private static final ZfsDisk DISK = new ZfsDisk();

    private static final long MIB = 1 << 20;

    /** What records and metadata take, whose sizes ZFS rounds up. */
    private static final long RECORDS = MIB;

    private Path place = Path.of("/nowhere");
    private Path pool = place;
    private int mounts;

    @BeforeEach
    void prepare() throws IOException {
        place = DISK.place();
        pool = place.resolve("pool");
        Files.createDirectories(pool.resolve("v"));
    }

    /** Unmounts what pods had. */
    @AfterEach
    void end() throws Exception {
        for (int i = 1; i <= mounts; i++) {
            Mounts.unmount(place.resolveSibling("pod-" + i));
        }
    }

    private VolumeStore open() {
        return new PoolFixture("prepared", DISK.datasets()).open(PoolFixture.pool("legacy", pool, "zfs"));
    }

    private static String dataset(StoredVolume volume) throws IOException {
        Path file = Path.of(volume.medium().path());
        return DISK.dataset() + "/" + Files.readAllLines(file).getFirst();
    }

    /** Mounts a volume as the node does, and returns where. */
    private Path staged(StoredVolume volume) throws Exception {
        mounts++;
        Path at = Files.createDirectories(place.resolveSibling("pod-" + mounts));
        assertThat(Mounts.run("mount", "-t", "zfs", dataset(volume), at.toString()))
                .isTrue();
        return at;
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static StoredVolume grow(VolumeStore store, StoredVolume volume, long mib) {
        return store.expand(volume.id(), TestVolumes.atLeast(Capacity.ofBytes(mib * MIB)), TestWork.patient());
    }

    /** Writes what cannot be compressed, synced piece by piece, until ZFS refuses; returns how much was written. */
    private static long fill(Path folder, String file) throws Exception {
        Path target = folder.resolve(file);
        assertThat(Mounts.run(
                        "dd", "if=/dev/urandom", "of=" + target, "bs=64k", "count=3200", "oflag=sync", "status=none"))
                .isFalse();
        return Files.exists(target) ? Files.size(target) : 0;
    }

    private static long available(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available().bytes();
    }

    @Test
    void a_program_writes_no_more_than_the_size_and_its_neighbour_and_the_pool_are_well() throws Exception {
        Path one;
        try (VolumeStore store = open()) {
            one = staged(make(store, TestVolumes.empty("pvc-a")));
            Path two = staged(make(store, TestVolumes.empty("pvc-b")));

            assertThat(fill(one, "data")).isBetween(16 * MIB - RECORDS, 16 * MIB + RECORDS);
            assertThat(Mounts.run("dd", "if=/dev/urandom", "of=" + two.resolve("data"), "bs=1M", "count=10"))
                    .isTrue();
            assertThat(DISK.disk().toFile().getUsableSpace()).isGreaterThan(200 * MIB);
        }
        try (VolumeStore store = open()) { // another process
            StoredVolume volume =
                    store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            assertThat(store.advisorySize(volume.id())).isFalse();
            assertThat(fill(one, "more")).isLessThan(RECORDS);
            grow(store, volume, 32);
            assertThat(fill(one, "more")).isBetween(16 * MIB - 2 * RECORDS, 16 * MIB + RECORDS);
        }
    }

    @Test
    void a_program_that_does_not_sync_is_refused_too() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            Path one = staged(volume);
            assertThat(Mounts.run("dd", "if=/dev/urandom", "of=" + one.resolve("data"), "bs=1M", "count=400"))
                    .isFalse();
            assertThat(Mounts.run("sync", "-f", one.toString())).isTrue();
            long over = DISK.datasets().find(dataset(volume)).orElseThrow().referenced() - 16 * MIB;
            assertThat(over).isLessThan(64 * MIB);
            assertThat(fill(one, "more")).isLessThan(RECORDS);
        }
    }

    @Test
    void statistics_are_those_of_the_volume() throws Exception {
        try (VolumeStore store = open()) {
            Path one = staged(make(store, TestVolumes.empty("pvc-a")));
            assertThat(one.toFile().getTotalSpace()).isEqualTo(16 * MIB);
            assertThat(Mounts.run(
                            "dd", "if=/dev/urandom", "of=" + one.resolve("data"), "bs=1M", "count=5", "conv=fsync"))
                    .isTrue();
            assertThat(Mounts.run("sync", "-f", one.toString())).isTrue();
            assertThat(one.toFile().getUsableSpace()).isBetween(11 * MIB - RECORDS, 11 * MIB);
        }
    }

    @Test
    void a_clone_has_its_own_size_of_which_its_content_is_a_part() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Path staged = staged(one);
            assertThat(Mounts.run("dd", "if=/dev/urandom", "of=" + staged.resolve("data"), "bs=1M", "count=10"))
                    .isTrue();
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            StoredSnapshot snapshot =
                    store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            StoredVolume larger = make(
                    store,
                    TestVolumes.sized("pvc-d", Capacity.ofBytes(32 * MIB), new Content.OfSnapshot(snapshot.id())));

            assertThat(fill(staged(clone), "more")).isBetween(6 * MIB - RECORDS, 6 * MIB + RECORDS);
            assertThat(fill(staged(restored), "more")).isBetween(6 * MIB - RECORDS, 6 * MIB + RECORDS);
            assertThat(fill(staged(larger), "more")).isBetween(22 * MIB - RECORDS, 22 * MIB + RECORDS);
            assertThat(fill(staged, "more")).isBetween(6 * MIB - RECORDS, 6 * MIB + RECORDS);
        }
    }

    @Test
    void a_source_is_deleted_before_what_was_made_of_it_and_its_space_is_free() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            PoolContent.write(one, "data", "precious");
            StoredSnapshot snapshot =
                    store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());
            PoolContent.write(one, "data", "changed");
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));

            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
            store.snapshots().orElseThrow().delete(snapshot.id(), TestWork.patient());
            assertThat(PoolContent.read(clone, "data")).contains("changed");
            assertThat(PoolContent.read(restored, "data")).contains("precious");
            assertThat(DISK.datasets().at(DISK.dataset())).hasSize(3);

            store.delete(clone.id(), OnDependents.REFUSE, TestWork.patient());
            store.delete(restored.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(DISK.datasets().at(DISK.dataset())).hasSize(1);
        }
    }

    @Test
    void what_volumes_occupy_counts_as_used() throws Exception {
        try (VolumeStore store = open()) {
            Path one = staged(make(store, TestVolumes.empty("pvc-a")));
            long before = available(store);
            assertThat(Mounts.run("dd", "if=/dev/urandom", "of=" + one.resolve("data"), "bs=1M", "count=10"))
                    .isTrue();
            assertThat(Mounts.run("sync", "-f", one.toString())).isTrue();
            assertThat(available(store)).isBetween(before - 2 * MIB, before + 2 * MIB);
        }
    }

    @Test
    void a_mounted_volume_is_not_deleted() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            staged(one);
            assertThatThrownBy(() -> store.delete(one.id(), OnDependents.REFUSE, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InUse.class));
        }
    }

    @Test
    void a_limit_that_was_taken_away_comes_back() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            DISK.datasets().limit(dataset(one), 0);
            available(store);
            assertThat(DISK.datasets().find(dataset(one)).orElseThrow().limit()).isEqualTo(16 * MIB);
        }
    }

    @Test
    void a_pool_that_does_not_say_its_kind_is_of_this_one_and_stays_so() throws Exception {
        PoolFixture process = new PoolFixture("prepared", DISK.datasets());
        try (VolumeStore store = process.open(PoolFixture.unsaid("legacy", pool, Map.of()))) {
            assertThat(dataset(make(store, TestVolumes.empty("pvc-a")))).startsWith(DISK.dataset() + "/fairlead-");
            assertThat(Files.readString(pool.resolve(".fairlead/owner"))).contains("\"zfs\"");
        }
        Files.delete(pool.resolve(".fairlead/owner"));
        try (VolumeStore store = process.open(PoolFixture.unsaid("legacy", pool, Map.of()))) {
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-b"))).hasMessageContaining("write kind: zfs");
        }
    }
}
