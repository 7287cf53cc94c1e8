package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A base folder that is not there or is a bare mount point. */
class AbsentBaseTest {
    private static final NativeId A = new NativeId("pvc-a");
    private static final NativeId SNAPSHOT = new NativeId("pvc-a-snap-1");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path base = folder;
    private Path away = folder;

    @BeforeEach
    void places() {
        base = folder.resolve("base");
        away = folder.resolve("away");
    }

    private VolumeStore store(String baseFolder) {
        return new DirectoryFixture(base, baseFolder).open();
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    /** What holds a handle of something that was made once. */
    private static void verifyAbsenceIsNotProved(VolumeStore store) {
        var snapshots = store.snapshots().orElseThrow();
        unavailable(() -> store.find(A, TestWork.patient()));
        unavailable(() -> store.delete(A, OnDependents.REFUSE, TestWork.patient()));
        unavailable(() -> store.expand(A, TestVolumes.atLeast(TestVolumes.SIZE), TestWork.patient()));
        unavailable(() -> snapshots.find(SNAPSHOT, TestWork.patient()));
        unavailable(() -> snapshots.delete(SNAPSHOT, TestWork.patient()));
        unavailable(() -> store.create(
                store.plan(TestVolumes.fromSnapshot("pvc-b", SNAPSHOT), new NativeId("pvc-b")), TestWork.patient()));
    }

    private static void unavailable(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"existing", "prepared"})
    void a_base_that_is_missing_is_out_of_reach_and_not_made(String baseFolder) {
        VolumeStore store = store(baseFolder);

        verifyAbsenceIsNotProved(store);
        unavailable(() -> make(store, "pvc-a"));
        unavailable(() -> store.list(PageRequest.all(), TestWork.patient()));
        unavailable(() -> store.room(Map.of(), TestWork.patient()));

        assertThat(base).doesNotExist();
    }

    @Test
    void a_base_that_may_be_made_is_made_once_and_never_in_the_place_of_one_that_was_seen() throws IOException {
        VolumeStore store = store("create");
        assertThat(store.find(A, TestWork.patient())).isEmpty();
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        assertThat(base).doesNotExist();
        StoredVolume made = make(store, "pvc-a");
        Files.move(base, away);

        verifyAbsenceIsNotProved(store);
        unavailable(() -> make(store, "pvc-b"));
        assertThat(base).doesNotExist();
        Files.move(away, base);

        assertThat(store.find(A, TestWork.patient())).contains(made);
    }

    @Test
    void an_empty_base_takes_its_first_volume_and_proves_nothing_before() throws IOException {
        Files.createDirectory(base);
        VolumeStore store = store("existing");

        verifyAbsenceIsNotProved(store);
        assertThat(store.list(PageRequest.all(), TestWork.patient()).items()).isEmpty();
        assertThat(DirectoryFixture.names(base)).isEmpty();
        make(store, "pvc-b");

        assertThat(store.find(A, TestWork.patient())).isEmpty();
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
    }

    @Test
    void a_base_that_has_to_be_prepared_is_never_laid_out_in_a_bare_mount_point() throws IOException {
        Files.createDirectory(base);
        VolumeStore store = store("prepared");

        verifyAbsenceIsNotProved(store);
        unavailable(() -> make(store, "pvc-a"));
        unavailable(() -> store.list(PageRequest.all(), TestWork.patient()));
        unavailable(() -> store.room(Map.of(), TestWork.patient()));
        assertThat(DirectoryFixture.names(base)).isEmpty();
        Files.createDirectory(base.resolve("v"));

        make(store, "pvc-a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "s"})
    void a_base_with_our_mark_that_lost_its_volumes_or_snapshots_is_out_of_reach(String shelf) throws IOException {
        make(store("create"), "pvc-a");
        Files.move(base.resolve(shelf), away);

        VolumeStore store = store("create");
        verifyAbsenceIsNotProved(store);
        unavailable(() -> make(store, "pvc-b"));
        assertThat(base.resolve(shelf)).doesNotExist();
        Files.move(away, base.resolve(shelf));

        assertThat(store.find(A, TestWork.patient())).isPresent();
    }

    @Test
    void the_mount_that_a_process_has_laid_out_the_mount_point_of_is_used_once_it_arrives() throws IOException {
        Path mounted = folder.resolve("mounted");
        make(new DirectoryFixture(mounted).open(), "pvc-a");
        Files.createDirectory(base);
        VolumeStore store = store("existing");
        make(store, "pvc-stray");
        Files.move(base, away);
        Files.move(mounted, base);

        boolean found = store.find(A, TestWork.patient()).isPresent();
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        Files.move(base, mounted);
        Files.move(away, base);

        assertThat(found).isTrue();
        assertThat(DirectoryFixture.names(mounted.resolve("v"))).isEmpty();
        verifyAbsenceIsNotProved(store);
    }

    @Test
    void another_base_in_the_place_of_one_that_was_found_stays_out_of_reach() throws IOException {
        Path other = folder.resolve("other");
        make(new DirectoryFixture(other).open(), "pvc-b");
        make(store("create"), "pvc-a");
        VolumeStore store = store("existing");
        make(store, "pvc-b");
        Files.move(base, away);
        Files.move(other, base);

        verifyAbsenceIsNotProved(store);
    }

    @Test
    void a_disk_that_is_unmounted_under_a_process_is_out_of_reach_until_it_is_mounted_again() throws Exception {
        Files.createDirectory(base);
        Files.createDirectory(away);
        assumeTrue(
                Mounts.run("mount", "--bind", away.toString(), base.toString()),
                "left out: this needs the right to mount");
        try {
            VolumeStore store = store("existing");
            StoredVolume made = make(store, "pvc-a");
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", made), 100, TestWork.patient());
            assertThat(Mounts.run("umount", base.toString())).isTrue();

            verifyAbsenceIsNotProved(store);
            unavailable(() -> make(store, "pvc-new"));
            unavailable(() -> store.list(PageRequest.all(), TestWork.patient()));
            unavailable(() -> store.room(Map.of(), TestWork.patient()));
            assertThat(DirectoryFixture.names(base)).isEmpty();
            assertThat(Mounts.run("mount", "--bind", away.toString(), base.toString()))
                    .isTrue();

            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .containsExactly(made);
            assertThat(store.snapshots().orElseThrow().find(SNAPSHOT, TestWork.patient()))
                    .isPresent();
            make(store, "pvc-new");
        } finally {
            Mounts.run("umount", base.toString());
        }
    }

    @Test
    void the_mount_is_used_once_it_arrives_also_where_an_earlier_process_laid_the_mount_point_out() throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        Files.createDirectory(base);
        assumeTrue(
                Mounts.run("mount", "-t", "tmpfs", "fairlead-test", mounted.toString()), "left out: no right to mount");
        try {
            make(new DirectoryFixture(mounted).open(), "pvc-a");
            make(store("existing"), "pvc-stray");
            VolumeStore restarted = store("existing");
            boolean stray = restarted
                    .find(new NativeId("pvc-stray"), TestWork.patient())
                    .isPresent();
            assertThat(Mounts.run("mount", "--bind", mounted.toString(), base.toString()))
                    .isTrue();

            assertThat(stray).isTrue();
            assertThat(restarted.find(A, TestWork.patient())).isPresent();
            assertThat(Mounts.run("umount", base.toString())).isTrue();

            verifyAbsenceIsNotProved(restarted);
        } finally {
            Mounts.run("umount", base.toString());
            Mounts.run("umount", mounted.toString());
        }
    }

    @Test
    void a_mounted_base_that_gives_way_to_another_stays_out_of_reach() throws Exception {
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.createDirectory(base);
        assumeTrue(
                Mounts.run("mount", "-t", "tmpfs", "fairlead-test", first.toString()), "left out: no right to mount");
        try {
            assertThat(Mounts.run("mount", "-t", "tmpfs", "fairlead-test", second.toString()))
                    .isTrue();
            make(new DirectoryFixture(second).open(), "pvc-b");
            assertThat(Mounts.run("mount", "--bind", first.toString(), base.toString()))
                    .isTrue();
            make(store("existing"), "pvc-a");
            VolumeStore restarted = store("existing");
            boolean found = restarted.find(A, TestWork.patient()).isPresent();
            assertThat(Mounts.run("umount", base.toString())).isTrue();
            assertThat(Mounts.run("mount", "--bind", second.toString(), base.toString()))
                    .isTrue();

            assertThat(found).isTrue();
            verifyAbsenceIsNotProved(restarted);
        } finally {
            Mounts.run("umount", base.toString());
            Mounts.run("umount", first.toString());
            Mounts.run("umount", second.toString());
        }
    }
}
