package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
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
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes of volumes in pools on btrfs, held by its quotas. */
class BtrfsSizesTest {
    private static final long MIB = 1 << 20;

    @TempDir(factory = InMemory.class)
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Mounts.assumeLoop(folder.resolve("file"), "400M", "mkfs.btrfs -q", disk);
        Files.createDirectory(disk.resolve("v"));
    }

    @AfterEach
    void unmount() throws Exception {
        Mounts.unmount(disk);
    }

    private VolumeStore open() {
        return new PoolFixture("prepared").open(PoolFixture.pool("legacy", disk, "btrfs"));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static StoredSnapshot take(VolumeStore store, StoredVolume volume) {
        return store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());
    }

    private static Path folder(StoredVolume volume) {
        return Path.of(volume.medium().path());
    }

    /** Writes until the file system refuses, and returns how much was written. */
    private static long fill(StoredVolume volume, String file) {
        long written = 0;
        try (OutputStream out = Files.newOutputStream(folder(volume).resolve(file))) {
            for (; written < 200 * MIB; written += 1 << 16) {
                out.write(new byte[1 << 16]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("quota");
        }
        return written;
    }

    private static void unavailable(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
    }

    private long limit(StoredVolume volume) throws IOException {
        return BtrfsQuotas.in(folder(volume))
                .map(BtrfsQuotas.QuotaUse::limit)
                .orElseThrow()
                .orElse(0);
    }

    @Test
    void a_program_writes_no_more_than_the_size_and_its_neighbour_and_the_pool_are_well() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            StoredVolume two = make(store, TestVolumes.empty("pvc-b"));

            assertThat(fill(one, "data")).isBetween(15 * MIB, 16 * MIB);
            Files.write(folder(two).resolve("data"), new byte[(int) (10 * MIB)]);
            assertThat(store.advisorySize(one.id())).isFalse();
            assertThat(disk.toFile().getUsableSpace()).isGreaterThan(200 * MIB);
        }
        try (VolumeStore store = open()) { // another process
            StoredVolume one =
                    store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            assertThat(fill(one, "more")).isLessThan(MIB);
            store.expand(one.id(), TestVolumes.atLeast(Capacity.ofBytes(32 * MIB)), TestWork.patient());
            assertThat(fill(one, "more")).isBetween(15 * MIB, 17 * MIB);
        }
    }

    @Test
    void a_clone_has_its_own_size_of_which_its_content_is_a_part() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Files.write(folder(one).resolve("data"), new byte[(int) (10 * MIB)]);
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            StoredSnapshot snapshot = take(store, one);
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            StoredVolume larger = make(
                    store,
                    TestVolumes.sized("pvc-d", Capacity.ofBytes(32 * MIB), new Content.OfSnapshot(snapshot.id())));

            assertThat(fill(clone, "more")).isBetween(5 * MIB, 6 * MIB);
            assertThat(fill(restored, "more")).isBetween(5 * MIB, 6 * MIB);
            assertThat(fill(larger, "more")).isBetween(21 * MIB, 22 * MIB);
            assertThat(fill(one, "more")).isBetween(5 * MIB, 6 * MIB);
        }
    }

    @Test
    void a_snapshot_cannot_be_changed_and_is_deleted_all_the_same() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Files.writeString(folder(one).resolve("data"), "before");
            StoredSnapshot snapshot = take(store, one);
            Path place = disk.resolve("s").resolve(snapshot.id().value());

            assertThat(BtrfsCalls.isReadOnly(place)).isTrue();
            assertThat(place.resolve("data")).hasContent("before");
            BtrfsCalls.setReadOnly(place, false); // as if its process had ended before it was protected
            assertThat(take(store, one)).isEqualTo(snapshot);
            assertThat(BtrfsCalls.isReadOnly(place)).isTrue();
            store.snapshots().orElseThrow().delete(snapshot.id(), TestWork.patient());
            assertThat(place).doesNotExist();
            assertThat(disk.resolve(".fairlead/trash")).isEmptyDirectory();
        }
    }

    @Test
    void a_volume_that_its_pod_made_read_only_or_filled_is_deleted() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            fill(one, "data");
            BtrfsCalls.setReadOnly(folder(one), true);
            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(folder(one)).doesNotExist();
            assertThat(disk.resolve(".fairlead/trash")).isEmptyDirectory();
        }
    }

    @Test
    void a_snapshot_of_a_volume_with_a_subvolume_in_it_holds_that_too() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            BtrfsCalls.makeSubvolume(folder(one), "hidden");
            Files.writeString(folder(one).resolve("hidden/data"), "precious");
            StoredSnapshot snapshot = take(store, one);

            assertThat(disk.resolve("s").resolve(snapshot.id().value()).resolve("hidden/data"))
                    .hasContent("precious");
        }
    }

    @Test
    void nothing_is_made_while_quotas_are_off_and_each_volume_has_its_limit_again_afterwards() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            assertThat(limit(one)).isEqualTo(16 * MIB);
            assertThat(Mounts.run("btrfs", "quota", "disable", disk.toString())).isTrue();

            unavailable(() -> make(store, TestVolumes.empty("pvc-b")), "btrfs quota enable");
            unavailable(() -> take(store, one), "btrfs quota enable");
            unavailable(() -> store.room(Map.of(), TestWork.patient()), "btrfs quota enable");
            assertThat(store.find(one.id(), TestWork.patient())).isPresent();
            BtrfsCalls.enableQuotas(disk);
            assertThat(limit(one)).isZero();
            store.room(Map.of(), TestWork.patient());
            assertThat(limit(one)).isEqualTo(16 * MIB);
            make(store, TestVolumes.empty("pvc-b"));
        }
    }

    @Test
    void quotas_that_do_not_count_what_is_shared_are_refused() throws Exception {
        Mounts.enableSimpleQuotas(disk);
        try (VolumeStore store = open()) {
            unavailable(() -> make(store, TestVolumes.empty("pvc-a")), "simple");
            unavailable(() -> store.room(Map.of(), TestWork.patient()), "simple");
        }
    }

    @Test
    void subvolumes_of_one_btrfs_share_its_room() throws Exception {
        for (String name : List.of("system", "one", "two")) {
            BtrfsCalls.makeSubvolume(disk, name);
            Files.createDirectory(disk.resolve(name).resolve("v"));
        }
        PoolFixture machine = new PoolFixture(
                "prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of(disk.resolve("system"))));
        try (VolumeStore store = machine.openTold(
                PoolFixture.pool("legacy", disk.resolve("one"), "btrfs", Map.of("systemDisk", "refuse")))) {
            unavailable(() -> make(store, TestVolumes.empty("pvc-a")), "systemDisk: refuse");
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isEqualTo(Capacity.ZERO);
        }
        PoolFixture another = new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of()));
        try (VolumeStore one = another.open(PoolFixture.pool("legacy", disk.resolve("one"), "btrfs"));
                VolumeStore two =
                        another.openOther("other", PoolFixture.pool("legacy", disk.resolve("two"), "btrfs"))) {
            make(one, TestVolumes.empty("pvc-a"));
            unavailable(
                    () -> make(two, TestVolumes.empty("pvc-b")),
                    disk.resolve("one").toString());
        }
    }

    @Test
    void what_volumes_and_snapshots_refer_to_counts_as_used() throws Exception {
        try (VolumeStore store = open()) {
            long before = available(store);
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            assertThat(available(store)).isBetween(before - 17 * MIB, before - 15 * MIB);
            Files.write(folder(one).resolve("data"), new byte[(int) (10 * MIB)]);
            BtrfsCalls.sync(disk);
            assertThat(available(store)).isBetween(before - 20 * MIB, before - 12 * MIB);
            take(store, one); // which is overwritten at some time
            assertThat(available(store)).isBetween(before - 30 * MIB, before - 12 * MIB);
        }
    }

    private static long available(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available().bytes();
    }

    @Test
    void a_plain_folder_is_no_volume_of_this_kind_and_does_not_grow() throws Exception {
        Files.createDirectory(disk.resolve("v/old"));
        try (VolumeStore store = open()) {
            assertThatThrownBy(() -> store.expand(
                            new NativeId("old"), TestVolumes.atLeast(Capacity.ofBytes(MIB)), TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.NotOurs.class));
            assertThat(BtrfsQuotas.in(disk)
                            .map(BtrfsQuotas.QuotaUse::limit)
                            .flatMap(it -> it.isPresent() ? Optional.of(it.getAsLong()) : Optional.empty()))
                    .isEmpty();
        }
    }

    @Test
    void another_file_system_is_refused_with_what_to_do() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.createDirectory(other.resolve("v"));
        try (VolumeStore store = new PoolFixture("prepared").open(PoolFixture.pool("legacy", other, "btrfs"))) {
            unavailable(() -> make(store, TestVolumes.empty("pvc-a")), "no btrfs");
        }
    }
}
