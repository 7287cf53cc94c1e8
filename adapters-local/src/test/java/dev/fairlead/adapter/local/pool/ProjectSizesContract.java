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
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import dev.fairlead.linux.ProjectQuotas;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sizes of volumes that are projects, held by the quotas of a kernel that has them. */
abstract class ProjectSizesContract {
    private static final long MIB = 1 << 20;
    private static final long BLOCKS = 64 << 10; // what a few blocks of metadata take

    private Path pool = Path.of("/nowhere");

    abstract String kind();

    abstract ProjectDisk disk();

    @BeforeEach
    void prepare() throws IOException {
        pool = disk().place().resolve("pool");
        Files.createDirectories(pool.resolve("v"));
    }

    private VolumeStore open() {
        return new PoolFixture("prepared").open(PoolFixture.pool("legacy", pool, kind()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static StoredVolume grow(VolumeStore store, StoredVolume volume, long mib) {
        return store.expand(volume.id(), TestVolumes.atLeast(Capacity.ofBytes(mib * MIB)), TestWork.patient());
    }

    private static Path folder(StoredVolume volume) {
        return Path.of(volume.medium().path());
    }

    private static long number(StoredVolume volume) throws IOException {
        return ProjectQuotas.of(folder(volume)).number();
    }

    /** Runs a shell as a container's root, without the capability by which ext4 lets a process write past quotas. */
    private static boolean pod(StoredVolume volume, String script) throws Exception {
        return Mounts.run(
                "setpriv",
                "--bounding-set=-sys_resource",
                "--inh-caps=-sys_resource",
                "sh",
                "-c",
                "cd \"$1\" && " + script,
                "sh",
                folder(volume).toString());
    }

    /** Writes until the file system refuses, and returns how much was written. */
    private static long fill(StoredVolume volume, String file) throws Exception {
        assertThat(pod(volume, "head -c 200M /dev/zero >" + file)).isFalse();
        Path written = folder(volume).resolve(file);
        return Files.exists(written) ? Files.size(written) : 0; // a full volume may take no file more
    }

    private static void refused(ThrowingCallable call, Class<? extends Failure> failure, String why) {
        assertThatThrownBy(call)
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(failure));
    }

    private static long available(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available().bytes();
    }

    @Test
    void a_program_writes_no_more_than_the_size_and_its_neighbour_and_the_pool_are_well() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            StoredVolume two = make(store, TestVolumes.empty("pvc-b"));

            assertThat(fill(one, "data")).isBetween(16 * MIB - BLOCKS, 16 * MIB);
            Files.write(folder(two).resolve("data"), new byte[(int) (10 * MIB)]);
            assertThat(store.advisorySize(one.id())).isFalse();
            assertThat(disk().disk().toFile().getUsableSpace()).isGreaterThan(200 * MIB);
        }
        try (VolumeStore store = open()) { // another process
            StoredVolume one =
                    store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            assertThat(fill(one, "more")).isLessThan(BLOCKS);
            grow(store, one, 32);
            assertThat(fill(one, "more")).isBetween(16 * MIB - BLOCKS, 16 * MIB + BLOCKS);
        }
    }

    @Test
    void a_program_makes_no_more_files_than_a_new_ext4_of_the_size_has() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            assertThat(pod(one, "i=0; while true >$i; do i=$((i+1)); done; test $i = 1023"))
                    .isTrue();
            try (Stream<Path> files = Files.list(folder(one))) {
                assertThat(files).hasSize(1023); // and the folder
            }
            assertThat(pod(make(store, TestVolumes.empty("pvc-b")), ": >a")).isTrue();
        }
    }

    @Test
    void statistics_are_those_of_the_volume() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Files.write(folder(one).resolve("data"), new byte[(int) (5 * MIB)]);
            try (PathHandle place = PathHandle.of(folder(one))) {
                MountCalls.Space space = MountCalls.space(place);
                assertThat(space.blocks() * space.unit()).isEqualTo(16 * MIB);
                assertThat(space.availableBlocks() * space.unit()).isBetween(11 * MIB - BLOCKS, 11 * MIB);
                assertThat(space.inodes()).isEqualTo(1024);
                assertThat(space.freeInodes()).isEqualTo(1022);
            }
        }
    }

    @Test
    void a_clone_has_its_own_size_of_which_its_content_is_a_part() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            Files.write(folder(one).resolve("data"), new byte[(int) (10 * MIB)]);
            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            StoredSnapshot snapshot =
                    store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            StoredVolume larger = make(
                    store,
                    TestVolumes.sized("pvc-d", Capacity.ofBytes(32 * MIB), new Content.OfSnapshot(snapshot.id())));

            assertThat(fill(clone, "more")).isBetween(6 * MIB - BLOCKS, 6 * MIB);
            assertThat(fill(restored, "more")).isBetween(6 * MIB - BLOCKS, 6 * MIB);
            assertThat(fill(larger, "more")).isBetween(22 * MIB - BLOCKS, 22 * MIB);
            assertThat(fill(one, "more")).isBetween(6 * MIB - BLOCKS, 6 * MIB);
        }
    }

    @Test
    void what_volumes_occupy_counts_as_used_at_once() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            long before = available(store);
            Files.write(folder(one).resolve("data"), new byte[(int) (10 * MIB)]);
            assertThat(available(store)).isBetween(before - MIB, before + MIB);
        }
    }

    @Test
    void no_number_is_given_again_while_a_file_has_it() throws Exception {
        long number;
        Path left = pool.resolveSibling("left");
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            number = number(one);
            Files.createDirectory(left);
            ProjectQuotas.assign(left, number);
            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
        }
        try (VolumeStore store = open()) {
            assertThat(number(make(store, TestVolumes.empty("pvc-b")))).isNotEqualTo(number);
        }
        Files.delete(left);
        try (VolumeStore store = open()) { // nor the size of the volume that had it before
            StoredVolume again = make(store, TestVolumes.empty("pvc-c"));
            assertThat(ProjectQuotas.use(pool, number(again)).limit()).isEqualTo(16 * MIB);
        }
    }

    @Test
    void a_volume_that_lost_its_project_is_served_and_does_not_grow_until_it_is_back_in_it() throws Exception {
        long number;
        try (VolumeStore store = open()) {
            number = number(make(store, TestVolumes.empty("pvc-a")));
        }
        // As a copy of all files to a new disk leaves it.
        ProjectQuotas.assign(pool.resolve("v/pvc-a"), 0);
        ProjectQuotas.limit(pool, number, 0, 0);
        try (VolumeStore store = open()) {
            StoredVolume one =
                    store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            refused(() -> grow(store, one, 32), Failure.NotOurs.class, String.valueOf(number));
            long before = available(store);
            assertThat(number(make(store, TestVolumes.empty("pvc-b")))).isNotEqualTo(number);
            assertThat(available(store)).isBetween(before - 17 * MIB, before - 15 * MIB);

            ProjectQuotas.assign(folder(one), number + 500); // one that it was not given
            refused(() -> grow(store, one, 32), Failure.NotOurs.class, String.valueOf(number));

            ProjectQuotas.assign(folder(one), number);
            available(store);
            assertThat(ProjectQuotas.use(pool, number).limit()).isEqualTo(16 * MIB);
            grow(store, one, 32);
            assertThat(ProjectQuotas.use(pool, number).limit()).isEqualTo(32 * MIB);
        }
    }

    @Test
    void nothing_is_made_while_quotas_are_off_which_is_told_and_sizes_hold_again_afterwards() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, TestVolumes.empty("pvc-a"));
            disk().mountAgain(false);

            refused(() -> make(store, TestVolumes.empty("pvc-b")), Failure.BackendUnavailable.class, "prjquota");
            refused(() -> grow(store, one, 32), Failure.BackendUnavailable.class, "prjquota");
            refused(() -> available(store), Failure.BackendUnavailable.class, "prjquota");
            assertThat(store.find(one.id(), TestWork.patient())).isPresent();
            assertThat(new PoolFixture("create").problems(PoolFixture.pool("legacy", pool, kind())))
                    .singleElement()
                    .satisfies(problem ->
                            assertThat(problem.what()).contains("no volume is made or grows in it", "project quotas"));
            disk().mountAgain(true);
            assertThat(fill(one, "data")).isBetween(16 * MIB - BLOCKS, 16 * MIB);
            make(store, TestVolumes.empty("pvc-b"));
        }
    }

    @Test
    void a_pool_that_does_not_say_its_kind_is_of_this_one_and_stays_so() throws Exception {
        try (VolumeStore store = new PoolFixture("prepared").open(PoolFixture.unsaid("legacy", pool, Map.of()))) {
            assertThat(number(make(store, TestVolumes.empty("pvc-a")))).isNotZero();
            assertThat(Files.readString(pool.resolve(".fairlead/owner"))).contains("\"" + kind() + "\"");
        }
        Files.delete(pool.resolve(".fairlead/owner"));
        try (VolumeStore store = new PoolFixture("prepared").open(PoolFixture.unsaid("legacy", pool, Map.of()))) {
            refused(
                    () -> make(store, TestVolumes.empty("pvc-b")),
                    Failure.BackendUnavailable.class,
                    "write kind: " + kind());
        }
    }

    @Test
    void a_pool_that_is_in_a_project_itself_is_refused() throws Exception {
        Files.delete(pool.resolve("v"));
        ProjectQuotas.assign(pool, 77);
        Files.createDirectory(pool.resolve("v"));
        try (VolumeStore store = open()) {
            refused(
                    () -> make(store, TestVolumes.empty("pvc-a")),
                    Failure.BackendUnavailable.class,
                    "in a project itself");
        }
    }
}
