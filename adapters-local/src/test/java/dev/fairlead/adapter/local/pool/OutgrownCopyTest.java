package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.adapter.local.directory.FilledAhead;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod that writes to its volume while that is copied does not take more of the pool than was promised. */
class OutgrownCopyTest {
    private static final long MIB = 1L << 20;

    @TempDir(factory = InMemory.class)
    Path folder;

    private Path pool = Path.of("/nowhere");
    private PlayedProjects projects = new PlayedProjects(pool);
    private Optional<VolumeStore> opened = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        pool = folder.resolve("pool");
        Files.createDirectories(pool.resolve("v"));
        projects = new PlayedProjects(folder);
        opened = Optional.of(new PoolFixture("prepared", projects).open(PoolFixture.pool("legacy", pool, "xfs")));
    }

    @AfterEach
    void close() {
        opened.ifPresent(VolumeStore::close);
    }

    private VolumeStore store() {
        return opened.orElseThrow();
    }

    private StoredVolume make(CreateRequest request, TestWork work) {
        return store().create(store().plan(request, new NativeId(request.name().value())), work)
                .volume();
    }

    private StoredVolume sized(String name, long mib) {
        return make(TestVolumes.sized(name, Capacity.ofBytes(mib * MIB)), TestWork.patient());
    }

    private void take(StoredVolume volume, TestWork work) {
        store().snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, work);
    }

    private void assertNothingIsLeft() {
        assertThat(pool.resolve("s")).isEmptyDirectory();
        assertThat(pool.resolve(".fairlead/partial")).isEmptyDirectory();
        assertThat(pool.resolve(".fairlead/trash")).isEmptyDirectory();
    }

    private TestWork beside(FilledAhead pod) {
        return TestWork.patient().endingWhen(() -> pod.goOn(pool.resolve(".fairlead/partial")));
    }

    @Test
    void a_snapshot_that_takes_more_than_its_volume_may_hold_ends_and_rests() throws IOException {
        StoredVolume volume = sized("pvc-a", 8);
        FilledAhead pod = new FilledAhead(Path.of(volume.medium().path()));

        StorageException ended = catchThrowableOfType(StorageException.class, () -> take(volume, beside(pod)));

        assertThat(ended.failure()).isInstanceOf(Failure.InUse.class);
        assertThat(ended.failure().message())
                .contains(volume.medium().path(), "9568256 bytes", "end its pods, or expand it");
        assertThat(pod.written()).isBetween(9, 11);
        assertNothingIsLeft();

        TestWork again = TestWork.patient();
        assertThatThrownBy(() -> take(volume, again)).hasMessageContaining("the next copy begins after");
        assertThat(again.effects()).isEmpty();

        store().expand(volume.id(), TestVolumes.atLeast(Capacity.ofBytes(9 * MIB)), TestWork.patient());
        take(volume, TestWork.patient());
        assertThat(pool.resolve("s/pvc-a-snap-1/sparse")).exists();
    }

    @Test
    void a_clone_that_takes_more_than_its_size_ends() throws IOException {
        StoredVolume volume = sized("pvc-a", 8);
        FilledAhead pod = new FilledAhead(Path.of(volume.medium().path()));

        assertThatThrownBy(() -> make(
                        TestVolumes.sized("pvc-b", Capacity.ofBytes(12 * MIB), new Content.OfVolume(volume.id())),
                        beside(pod)))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InUse.class));

        assertThat(pod.written()).isBetween(13, 15);
        assertThat(store().find(new NativeId("pvc-b"), TestWork.patient())).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void a_volume_that_is_too_small_for_a_snapshot_is_told_so() throws IOException {
        StoredVolume volume = sized("pvc-a", 8);
        Files.write(Path.of(volume.medium().path()).resolve("data"), new byte[(int) (6 * MIB)]);
        take(volume, TestWork.patient());

        Content content = new Content.OfSnapshot(new NativeId("pvc-a-snap-1"));
        assertThatThrownBy(
                        () -> make(TestVolumes.sized("pvc-b", Capacity.ofBytes(4 * MIB), content), TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.CapacityOutOfRange.class))
                .hasMessageContaining("ask for a larger volume");
        make(TestVolumes.sized("pvc-b", Capacity.ofBytes(8 * MIB), content), TestWork.patient());
    }

    private long available() throws IOException {
        return store().room(Map.of(), TestWork.patient()).available().bytes();
    }

    /** Here the volume occupies nothing, as far as its file system says. */
    @Test
    void a_snapshot_in_a_pool_without_any_more_room_gets_what_its_volume_holds_now() throws IOException {
        StoredVolume volume = sized("pvc-a", available() / MIB);
        Path data = Path.of(volume.medium().path()).resolve("data");
        Files.write(data, new byte[(int) MIB / 2]);
        take(volume, TestWork.patient());
        store().snapshots().orElseThrow().delete(new NativeId("pvc-a-snap-1"), TestWork.patient());

        Files.write(data, new byte[(int) MIB * 2]);
        assertThatThrownBy(() -> take(volume, TestWork.patient()))
                .hasMessageContaining("1048576 bytes")
                .hasMessageContaining("make room in its pool");
        assertNothingIsLeft();
    }

    @Test
    void a_snapshot_in_a_pool_with_less_room_than_its_volume_gets_half_and_rests_until_there_is_more()
            throws IOException {
        StoredVolume volume = sized("pvc-a", 40);
        FilledAhead pod = new FilledAhead(Path.of(volume.medium().path()));
        StoredVolume other = sized("pvc-b", available() / MIB - 16);
        long half = available() / 2;

        assertThatThrownBy(() -> take(volume, beside(pod)))
                .hasMessageContaining((half + half / 64 + MIB) + " bytes")
                .hasMessageContaining("make room in its pool");
        assertThat(pod.written()).isBetween(9, 11);
        assertRests(volume);
        Files.write(Path.of(volume.medium().path()).resolve("more"), new byte[4096]);
        assertRests(volume);

        store().delete(other.id(), OnDependents.REFUSE, TestWork.patient());
        take(volume, TestWork.patient());
        assertThat(pool.resolve("s/pvc-a-snap-1/sparse")).exists();
    }

    private void assertRests(StoredVolume volume) {
        assertThatThrownBy(() -> take(volume, TestWork.patient())).hasMessageContaining("the next copy begins after");
    }

    /** Folders are copied after the names of the one that they are in. */
    @Test
    void a_snapshot_has_no_more_files_than_its_volume_may_have() throws IOException {
        StoredVolume volume = sized("pvc-a", 1);
        Path content = Path.of(volume.medium().path());
        for (int i = 0; i < 21; i++) {
            Files.createDirectory(content.resolve("folder-" + i));
        }
        Files.createFile(content.resolve("first"));
        TestWork work = TestWork.patient().endingWhen(() -> isBegun() && fill(content));

        assertThatThrownBy(() -> take(volume, work)).hasMessageContaining("2040 files");
        assertNothingIsLeft();
    }

    @Test
    void a_volume_that_has_more_files_by_the_kernel_s_count_is_copied() throws IOException {
        StoredVolume volume = sized("pvc-a", 1);
        for (int i = 0; i < 4_000; i++) {
            Files.createFile(Path.of(volume.medium().path()).resolve("file-" + i));
        }
        projects.count(Path.of(volume.medium().path()), 4_000);

        take(volume, TestWork.patient());

        assertThat(pool.resolve("s/pvc-a-snap-1").toFile().list()).hasSize(4_000);
    }

    private boolean isBegun() {
        String[] copies = pool.resolve(".fairlead/partial").toFile().list();
        return copies != null && copies.length > 0 && isFilled(copies[0]);
    }

    private boolean isFilled(String copy) {
        return Files.exists(pool.resolve(".fairlead/partial").resolve(copy).resolve("first"));
    }

    /** Makes files as a pod does, and returns false. */
    private static boolean fill(Path content) {
        for (int i = 0; i < 21; i++) {
            Path folder = content.resolve("folder-" + i);
            for (int file = 0; file < 100 && !Files.exists(folder.resolve("99")); file++) {
                try {
                    Files.createFile(folder.resolve(Integer.toString(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return false;
    }
}
