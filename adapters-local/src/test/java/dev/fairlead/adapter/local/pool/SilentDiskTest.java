package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.hung.HungFilesystem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool whose disk does not answer: its mark is a pipe into which nobody writes, so that opening it never ends. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentDiskTest {
    private static final NativeId A = new NativeId("bad/pvc-a");
    private static final NativeId B = new NativeId("good/pvc-b");
    private static final int MOST = 65_536;

    @TempDir(factory = InMemory.class)
    Path folder;

    private final PoolFixture fixture = new PoolFixture("prepared");
    private @Nullable HungFilesystem hung;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("good/v"));
        Files.createDirectories(folder.resolve("bad/v"));
    }

    /** Ends what hangs, also if the test was given up, since a process that hangs in the kernel does not end. */
    @AfterEach
    void release() throws IOException {
        if (hung != null) {
            hung.close();
        }
    }

    private VolumeStore open() {
        VolumeStore store = fixture.open(
                PoolFixture.pool("good", folder.resolve("good"), "directory"),
                PoolFixture.pool("bad", folder.resolve("bad"), "directory"));
        make(store, "bad", "pvc-a");
        make(store, "good", "pvc-b");
        return store;
    }

    private static CreateRequest request(String pool, String name) {
        CreateRequest plain = TestVolumes.empty(name);
        return new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), plain.content());
    }

    private static void make(VolumeStore store, String pool, String name) {
        var _ = store.create(store.plan(request(pool, name), new NativeId(name)), TestWork.patient());
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static StoredSnapshot take(VolumeStore store, NativeId source, String name, TestWork work) {
        return snapshots(store).take(new SnapshotRequest(new CsiName(name), source, Map.of()), MOST, work);
    }

    private static TestWork hurried() {
        return TestWork.patient().left(Duration.ofMillis(300));
    }

    private Path mark() {
        return folder.resolve("bad/.fairlead/owner");
    }

    private void fallSilent() throws Exception {
        Files.delete(mark());
        assertThat(new ProcessBuilder(List.of("mkfifo", mark().toString()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Ends what has not been answered: somebody opens the pipe for writing. */
    private void answer() throws IOException {
        FileChannel.open(mark(), StandardOpenOption.READ, StandardOpenOption.WRITE)
                .close();
    }

    private static void verifyRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining("pool 'bad'")
                .hasMessageContaining("no answer")
                .hasMessageContaining("dmesg");
    }

    static Stream<Named<Consumer<VolumeStore>>> calls() {
        return Stream.of(
                Named.of("find", store -> store.find(A, hurried())),
                Named.of("place", store -> store.placeOf(A, hurried())),
                Named.of("list", store -> store.list(new PageRequest(Optional.empty(), 10), hurried())),
                Named.of("room", store -> store.room(Map.of("storagePool", "bad"), hurried())),
                Named.of("delete", store -> store.delete(A, OnDependents.REFUSE, hurried())),
                Named.of("check", store -> store.deletionCheck(A, OnDependents.REFUSE, hurried())),
                Named.of("note", store -> store.note(A, Map.of("a", "b"), hurried())),
                Named.of(
                        "expand", store -> store.expand(A, TestVolumes.atLeast(Capacity.ofBytes(64 << 20)), hurried())),
                Named.of("take", store -> take(store, A, "snap", hurried())),
                Named.of("snapshot", store -> snapshots(store).find(new NativeId("bad/snap"), hurried())),
                Named.of("no snapshot", store -> snapshots(store).delete(new NativeId("bad/snap"), hurried())),
                Named.of("name", store -> snapshots(store).findByName(new CsiName("snap"), hurried())),
                Named.of(
                        "snapshots",
                        store -> snapshots(store)
                                .list(Optional.empty(), new PageRequest(Optional.empty(), 10), hurried())));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void a_call_on_it_ends_in_its_own_time_and_other_pools_go_on(Consumer<VolumeStore> call) throws Exception {
        try (VolumeStore store = open()) {
            fallSilent();
            long begin = System.nanoTime();

            verifyRefused(() -> call.accept(store));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(7));
            make(store, "good", "pvc-c");
            assertThat(store.find(B, TestWork.patient())).isPresent();

            answer();
        }
    }

    /** What is looked for is not on a disk that remembers it, but on a file system whose server is dead. */
    @ParameterizedTest
    @MethodSource("calls")
    void a_call_on_a_mount_that_hangs_ends_in_its_own_time(Consumer<VolumeStore> call) throws Exception {
        HungFilesystem.obstacle().ifPresent(why -> Assumptions.abort("left out: " + why));
        try (VolumeStore store = open()) {
            hung = HungFilesystem.mountAt(folder.resolve("bad"));

            verifyRefused(() -> call.accept(store));
            assertThat(hung.swallowed()).isPositive();
            assertThat(store.find(B, TestWork.patient())).isPresent();
        }
    }

    @Test
    void calls_that_do_not_tell_their_time_end_as_well() {
        try (VolumeStore store = open()) {
            VolumeStore.Birth birth = store.plan(request("bad", "pvc-d"), new NativeId("pvc-d"));
            assertThat(store.isMarkedAsOwn()).isTrue();
            fixture.hang(folder.resolve("bad"));

            verifyRefused(() -> store.plan(request("bad", "pvc-e"), new NativeId("pvc-e")));
            verifyRefused(() -> store.existing(birth, hurried()));
            verifyRefused(() -> store.create(birth, hurried()));
            verifyRefused(() -> store.advisorySize(A));
            assertThat(store.advisorySize(B)).isTrue();
            assertThat(store.isMarkedAsOwn()).isFalse();
        }
    }

    @Test
    void only_the_pool_of_a_volume_or_snapshot_is_asked() throws Exception {
        try (VolumeStore store = open()) {
            StoredSnapshot before = take(store, B, "before", TestWork.patient());
            fallSilent();

            assertThat(take(store, B, "since", TestWork.patient()).source()).isEqualTo(B);
            assertThat(snapshots(store)
                            .list(Optional.of(B), new PageRequest(Optional.empty(), 10), TestWork.patient())
                            .items())
                    .hasSize(2);
            assertThat(snapshots(store).find(before.id(), TestWork.patient())).isPresent();
            assertThat(store.room(Map.of("storagePool", "good"), TestWork.patient())
                            .available())
                    .isGreaterThan(Capacity.ZERO);
            snapshots(store).delete(before.id(), TestWork.patient());
            store.delete(B, OnDependents.REFUSE, TestWork.patient());
            assertThat(store.find(B, TestWork.patient())).isEmpty();

            answer();
        }
    }

    @Test
    void a_name_is_found_in_another_pool_and_is_not_absent_while_one_does_not_tell() throws Exception {
        try (VolumeStore store = fixture.open(
                PoolFixture.pool("bad", folder.resolve("bad"), "directory"),
                PoolFixture.pool("good", folder.resolve("good"), "directory"))) {
            make(store, "bad", "pvc-a");
            make(store, "good", "pvc-b");
            StoredSnapshot taken = take(store, B, "snap", TestWork.patient());
            fallSilent();

            assertThat(snapshots(store).findByName(new CsiName("snap"), hurried()))
                    .contains(taken);
            verifyRefused(() -> snapshots(store).findByName(new CsiName("absent"), hurried()));

            answer();
        }
    }

    @Test
    void it_goes_on_once_it_answers() throws Exception {
        try (VolumeStore store = open()) {
            byte[] before = Files.readAllBytes(mark());
            fallSilent();
            verifyRefused(() -> store.find(A, hurried()));
            verifyRefused(() -> store.find(A, hurried()));

            answer();
            Files.delete(mark());
            Files.write(mark(), before);
            assertThat(store.find(A, TestWork.patient())).isPresent();
        }
    }
}
