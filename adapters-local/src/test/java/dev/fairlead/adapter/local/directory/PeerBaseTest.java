package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A base folder as democratic-csi leaves it: volumes and snapshots, and nothing beside them. */
class PeerBaseTest {
    private static final NativeId VOLUME = new NativeId("pvc-68f1d462-633b-4085-a634-899b88e5af74");
    private static final String NAME = "snapshot-0a1b2c3d-4e5f-6789-abcd-ef0123456789";
    private static final NativeId SNAPSHOT = new NativeId(VOLUME + "-" + NAME);
    private static final NativeId LONG_FORM =
            new NativeId("snapshot_driver=filecopy&snapshot_id=" + VOLUME + "-daily%3A1%2B2");

    @TempDir
    Path base = Path.of("/nowhere");

    @BeforeEach
    void peer() throws IOException {
        Files.createDirectories(base.resolve("v/" + VOLUME));
        Files.writeString(base.resolve("v/" + VOLUME + "/data"), "precious");
        for (String name : new String[] {NAME, "daily:1+2"}) {
            Files.createDirectories(base.resolve("s/" + VOLUME + "-" + name));
            Files.writeString(base.resolve("s/" + VOLUME + "-" + name + "/data"), "older");
            PeerSnapshotTest.end(base.resolve("s/" + VOLUME + "-" + name));
        }
    }

    private VolumeStore store() {
        return new DirectoryFixture(base).open();
    }

    private SnapshotStore snapshots() {
        return store().snapshots().orElseThrow();
    }

    private static StoredVolume restored(VolumeStore store, NativeId snapshot) {
        return store.create(
                        store.plan(TestVolumes.fromSnapshot("pvc-new", snapshot), new NativeId("pvc-new")),
                        TestWork.patient())
                .volume();
    }

    @Test
    void reading_leaves_it_as_it_is() {
        String before = Dump.of(base);

        StoredVolume found = store().find(VOLUME, TestWork.patient()).orElseThrow();
        store().list(PageRequest.all(), TestWork.patient());
        snapshots().list(Optional.empty(), PageRequest.all(), TestWork.patient());
        store().delete(new NativeId("absent"), OnDependents.REFUSE, TestWork.patient());

        assertThat(found.capacity()).isEmpty();
        assertThat(found.name()).isEmpty();
        assertThat(Dump.of(base)).isEqualTo(before);
    }

    @Test
    void a_volume_is_expanded_noted_and_deleted() {
        StoredVolume grown = store().expand(VOLUME, TestVolumes.atLeast(Capacity.ofGibibytes(2)), TestWork.patient());
        store().note(VOLUME, Map.of("a", "b"), TestWork.patient());

        assertThat(grown.capacity()).contains(Capacity.ofGibibytes(2));
        assertThat(store().find(VOLUME, TestWork.patient()).orElseThrow().notes())
                .containsEntry("a", "b");
        store().delete(VOLUME, OnDependents.REFUSE, TestWork.patient());
        assertThat(DirectoryFixture.names(base.resolve("v"))).isEmpty();
    }

    @Test
    void snapshots_are_listed_with_what_their_ids_tell() {
        var found = snapshots().list(Optional.of(VOLUME), PageRequest.all(), TestWork.patient());

        assertThat(found.items())
                .extracting(StoredSnapshot::name)
                .containsExactly(Optional.of(new CsiName("daily:1+2")), Optional.of(new CsiName(NAME)));
        assertThat(found.items()).extracting(StoredSnapshot::source).containsOnly(VOLUME);
        assertThat(snapshots().findByName(new CsiName(NAME), TestWork.patient()))
                .map(StoredSnapshot::id)
                .contains(SNAPSHOT);
    }

    @Test
    void a_snapshot_outlives_its_volume_and_its_id_still_tells_both() {
        store().delete(VOLUME, OnDependents.REFUSE, TestWork.patient());

        StoredSnapshot found = snapshots().find(SNAPSHOT, TestWork.patient()).orElseThrow();

        assertThat(found.source()).isEqualTo(VOLUME);
        assertThat(found.name()).contains(new CsiName(NAME));
    }

    @Test
    void a_snapshot_that_exists_is_not_taken_again() {
        StoredSnapshot taken =
                snapshots().take(new SnapshotRequest(new CsiName(NAME), VOLUME, Map.of()), 128, TestWork.patient());

        assertThat(taken.id()).isEqualTo(SNAPSHOT);
        assertThat(base.resolve("s/" + SNAPSHOT + "/data")).hasContent("older");
    }

    @Test
    void the_long_form_of_an_id_means_the_same_folder() {
        StoredSnapshot found = snapshots().find(LONG_FORM, TestWork.patient()).orElseThrow();
        StoredVolume restored = restored(store(), LONG_FORM);
        snapshots().delete(LONG_FORM, TestWork.patient());

        assertThat(found.id()).isEqualTo(LONG_FORM);
        assertThat(Path.of(restored.medium().path(), "data")).hasContent("older");
        assertThat(DirectoryFixture.names(base.resolve("s"))).containsExactly(SNAPSHOT.value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"restic", "kopia", "unheard-of"})
    void snapshots_of_other_drivers_are_refused_and_never_said_to_be_gone(String driver) {
        NativeId id = new NativeId("snapshot_driver=" + driver + "&snapshot_id=abc");

        Failing.with(Failure.Unsupported.class, () -> snapshots().find(id, TestWork.patient()));
        Failing.with(Failure.Unsupported.class, () -> snapshots().delete(id, TestWork.patient()));
        Failing.with(Failure.Unsupported.class, () -> restored(store(), id));
        Failing.with(
                Failure.Unsupported.class,
                () -> snapshots()
                        .take(
                                new SnapshotRequest(new CsiName("new"), VOLUME, Map.of("driver", driver)),
                                128,
                                TestWork.patient()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snapshot_driver=filecopy&snapshot_id=..%2Fv",
                "snapshot_driver=filecopy&snapshot_id=%2Fetc",
                "snapshot_driver=filecopy&snapshot_id=a%00b",
                "snapshot_driver=filecopy&snapshot_id=%zz",
                "snapshot_driver=filecopy",
                "snapshot_id=",
                "=&="
            })
    void a_long_form_that_means_no_folder_was_never_ours(String text) {
        String before = Dump.of(base);

        assertThat(snapshots().find(new NativeId(text), TestWork.patient())).isEmpty();
        snapshots().delete(new NativeId(text), TestWork.patient());

        assertThat(Dump.of(base)).isEqualTo(before);
    }

    /** It makes the folder, and then gives it its mode. */
    @Test
    void an_empty_volume_that_the_peer_was_cut_at_gets_its_mode_and_one_in_use_keeps_its_own() throws IOException {
        Path begun = Files.createDirectory(base.resolve("v/pvc-begun"));
        Path used = base.resolve("v/" + VOLUME);
        Files.setPosixFilePermissions(begun, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(used, PosixFilePermissions.fromString("rwxr-x---"));
        VolumeStore store = new DirectoryFixture(base).open(Map.of("dirPermissionsMode", "0777"));

        for (NativeId id : new NativeId[] {new NativeId("pvc-begun"), VOLUME}) {
            var birth = store.plan(TestVolumes.empty(id.value()), id);
            assertThat(store.create(birth, TestWork.patient()).fresh()).isFalse();
        }

        assertThat(Files.getPosixFilePermissions(begun)).isEqualTo(PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(Files.getPosixFilePermissions(used)).isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(base.resolve(".fairlead/volumes/pvc-begun.json")).doesNotExist();
    }

    /** As rsync -a leaves it: hard links are files of their own. */
    @Test
    void a_copy_that_the_peer_made_is_taken_for_what_it_is_and_no_part_of_one() throws IOException {
        Path source = base.resolve("s/" + SNAPSHOT);
        Files.createLink(source.resolve("linked"), source.resolve("data"));
        Files.createDirectories(source.resolve("deep/er"));
        Path copy = Files.createDirectories(base.resolve("v/pvc-new/deep/er")).resolve("../..");
        Files.writeString(copy.resolve(".data.aB3x9Q"), "older");
        Files.writeString(copy.resolve("linked"), "older");

        Failing.with(Failure.VolumeConflict.class, () -> restored(store(), SNAPSHOT));
        Files.move(copy.resolve(".data.aB3x9Q"), copy.resolve("data"));
        StoredVolume whole = restored(store(), SNAPSHOT);
        Files.writeString(copy.resolve("data"), "old");

        assertThat(whole.content()).isEqualTo(new Content.OfSnapshot(SNAPSHOT));
        Failing.with(Failure.VolumeConflict.class, () -> restored(store(), SNAPSHOT));
        assertThat(copy.resolve("data")).hasContent("old");
    }

    @Test
    void a_clone_that_the_peer_made_is_taken_for_one_of_its_source_alone() throws IOException {
        Files.createDirectories(base.resolve("v/pvc-new"));
        Files.writeString(base.resolve("v/pvc-new/data"), "precious");
        Files.createDirectories(base.resolve("v/pvc-other"));
        VolumeStore store = store();

        StoredVolume clone = store.create(
                        store.plan(TestVolumes.fromVolume("pvc-new", VOLUME), new NativeId("pvc-new")),
                        TestWork.patient())
                .volume();

        assertThat(clone.content()).isEqualTo(new Content.OfVolume(VOLUME));
        for (String other : new String[] {"pvc-other", "pvc-absent"}) {
            Failing.with(
                    Failure.VolumeConflict.class,
                    () -> store.create(
                            store.plan(TestVolumes.fromVolume("pvc-new", new NativeId(other)), new NativeId("pvc-new")),
                            TestWork.patient()));
        }
    }

    private static boolean isMade(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .fresh();
    }

    /**
     * Its record cannot tell the folder from one that was restored, and so is believed as long as there is a folder.
     */
    @Test
    void a_volume_that_the_peer_deleted_and_made_anew_is_told_by_its_record_until_it_is_deleted_here()
            throws IOException {
        Path folder = base.resolve("v/pvc-new");
        StoredVolume first = restored(store(), SNAPSHOT);
        Files.delete(folder.resolve("data"));
        Files.delete(folder);
        Files.createDirectory(folder);

        assertThat(store().find(first.id(), TestWork.patient())).contains(first);
        assertThat(isMade(store(), "pvc-new")).isFalse();
        store().delete(first.id(), OnDependents.REFUSE, TestWork.patient());

        assertThat(isMade(store(), "pvc-new")).isTrue();
        assertThat(store().find(first.id(), TestWork.patient()).orElseThrow().content())
                .isEqualTo(Content.EMPTY);
    }

    @Test
    void the_record_of_a_volume_that_the_peer_deleted_is_believed_no_more() throws IOException {
        StoredVolume first = restored(store(), SNAPSHOT);
        Files.delete(base.resolve("v/pvc-new/data"));
        Files.delete(base.resolve("v/pvc-new"));

        assertThat(store().find(first.id(), TestWork.patient())).isEmpty();
        assertThat(store().list(PageRequest.all(), TestWork.patient()).items())
                .extracting(StoredVolume::id)
                .containsExactly(VOLUME);
        assertThat(isMade(store(), "pvc-new")).isTrue();

        assertThat(store().find(first.id(), TestWork.patient()).orElseThrow().content())
                .isEqualTo(Content.EMPTY);
    }

    @Test
    void two_pairs_that_make_one_id_are_kept_apart() throws IOException {
        VolumeStore store = store();
        for (String name : new String[] {"a", "a-b"}) {
            StoredVolume made = store.create(
                            store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                    .volume();
            Files.writeString(Path.of(made.medium().path(), "data"), name);
        }

        StoredSnapshot one = take(store, "a-b", "c");
        StoredSnapshot two = take(store, "a", "b-c");

        assertThat(one.id()).isEqualTo(new NativeId("a-b-c"));
        assertThat(two.id()).isNotEqualTo(one.id());
        assertThat(take(store, "a-b", "c")).isEqualTo(one);
        assertThat(take(store, "a", "b-c")).isEqualTo(two);
        assertThat(snapshots().findByName(new CsiName("b-c"), TestWork.patient()))
                .contains(two);
        assertThat(base.resolve("s/" + two.id() + "/data")).hasContent("a");
        snapshots().delete(one.id(), TestWork.patient());
        assertThat(take(store, "a", "b-c")).isEqualTo(two);
    }

    private static StoredSnapshot take(VolumeStore store, String volume, String name) {
        SnapshotRequest request = new SnapshotRequest(new CsiName(name), new NativeId(volume), Map.of());
        return store.snapshots().orElseThrow().take(request, 128, TestWork.patient());
    }
}
