package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools in which kubevirt's hostpath-provisioner made volumes and snapshots, laid out as that program does it. */
class HostpathPoolTest {
    private static final String A = "pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001";
    private static final String B = "data.my-claim-pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0002";
    private static final String SNAPSHOT = "snapshot-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0009";

    @TempDir(factory = InMemory.class)
    Path folder;

    private Optional<VolumeStore> opened = Optional.empty();

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("legacy").resolve(A));
        Files.writeString(folder.resolve("legacy").resolve(A).resolve("file"), "precious");
        Files.createDirectories(folder.resolve("fast").resolve(B));
        Files.writeString(folder.resolve("fast").resolve(B).resolve("file"), "fast");
        for (String pool : List.of("legacy", "fast")) {
            Files.createDirectories(folder.resolve(pool).resolve("snapshots"));
        }
        snapshot(SNAPSHOT, A, "as it was");
        open();
    }

    private void snapshot(String id, String volume, String text) throws IOException {
        Path place = folder.resolve("legacy/snapshots").resolve(id);
        Files.createDirectories(place.resolve("data"));
        Files.createDirectory(place.resolve(volume));
        Files.writeString(place.resolve("data/file"), text);
        SnapshotPlaceTest.end(place.resolve("data"));
    }

    private void open() {
        opened = Optional.of(new PoolFixture("existing").open(pool("legacy"), pool("fast")));
    }

    private Mapping pool(String name) {
        return PoolFixture.pool(
                name,
                folder.resolve(name),
                "directory",
                Map.of("hostpathProvisioner", "true", "snapshotPath", folder.resolve(name + "/snapshots")));
    }

    @AfterEach
    void close() {
        opened.ifPresent(VolumeStore::close);
    }

    private VolumeStore store() {
        return opened.orElseThrow();
    }

    private SnapshotStore snapshots() {
        return store().snapshots().orElseThrow();
    }

    private Optional<StoredVolume> find(String id) {
        return store().find(new NativeId(id), TestWork.patient());
    }

    private StoredVolume make(String pool, String name, Content content) {
        CreateRequest plain = TestVolumes.with(name, content);
        CreateRequest request = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), content);
        return store().create(store().plan(request, new NativeId(name)), TestWork.patient())
                .volume();
    }

    private void delete(String id) {
        store().delete(new NativeId(id), OnDependents.REFUSE, TestWork.patient());
    }

    private List<String> listed() {
        return store().list(PageRequest.all(), TestWork.patient()).items().stream()
                .map(volume -> volume.id().value())
                .toList();
    }

    private List<String> listedSnapshots(Optional<NativeId> source) {
        return snapshots().list(source, PageRequest.all(), TestWork.patient()).items().stream()
                .map(snapshot -> snapshot.id().value())
                .toList();
    }

    private StoredSnapshot take(String volume, String name) {
        return snapshots()
                .take(new SnapshotRequest(new CsiName(name), new NativeId(volume), Map.of()), 120, TestWork.patient());
    }

    @Test
    void its_volumes_are_found_by_the_names_that_it_gave_them_in_whichever_pool() {
        assertThat(find(A).orElseThrow().medium())
                .isEqualTo(new VolumeMedium.Filesystem(
                        folder.resolve("legacy").resolve(A).toString()));
        assertThat(find(B).orElseThrow().medium())
                .isEqualTo(new VolumeMedium.Filesystem(
                        folder.resolve("fast").resolve(B).toString()));
        assertThat(find("fast/" + B).orElseThrow().id().value()).isEqualTo("fast/" + B);
        assertThat(find("fast/" + A)).isEmpty();
        assertThat(store().advisorySize(new NativeId(B))).isTrue();
        assertThat(listed()).containsExactly(B, A);
    }

    @Test
    void what_has_not_the_name_of_its_volumes_is_nobodys() throws IOException {
        for (String name : List.of("photos", "snapshots", "pvc-1", "lost+found", ".hidden")) {
            Files.createDirectories(folder.resolve("legacy").resolve(name).resolve("keep"));
        }
        String link = "pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0008";
        Files.createSymbolicLink(folder.resolve("legacy").resolve(link), folder.resolve("fast"));
        make("legacy", "pvc-new", Content.EMPTY);

        assertThat(listed()).containsExactly(B, A, "pvc-new");
        for (String id : List.of("photos", "snapshots", "pvc-1", "legacy/" + A, "fast/..", "fast/v", link)) {
            if (NativeId.isValid(id)) {
                try {
                    delete(id);
                } catch (StorageException e) {
                    assertThat(e.failure()).as(id).isInstanceOfAny(Failure.NotOurs.class, Failure.InvalidRequest.class);
                }
            }
        }
        for (String name : List.of("photos", "snapshots", "pvc-1", "lost+found", ".hidden")) {
            assertThat(folder.resolve("legacy").resolve(name)).as(name).isDirectory();
        }
        assertThat(folder.resolve("fast").resolve(B).resolve("file")).exists();
    }

    @Test
    void a_volume_grows_by_its_note_and_is_deleted_and_the_others_stay() {
        StoredVolume grown =
                store().expand(new NativeId(B), TestVolumes.atLeast(Capacity.ofBytes(8 << 20)), TestWork.patient());
        assertThat(grown.capacity()).contains(Capacity.ofBytes(8 << 20));
        close();
        open();
        assertThat(find(B).orElseThrow().capacity()).contains(Capacity.ofBytes(8 << 20));

        delete(B);
        delete(B);

        assertThat(find(B)).isEmpty();
        assertThat(folder.resolve("fast").resolve(B)).doesNotExist();
        assertThat(folder.resolve("legacy").resolve(A).resolve("file")).hasContent("precious");
        assertThat(listed()).containsExactly(A);
    }

    @Test
    void its_snapshots_are_listed_restored_and_deleted() {
        StoredSnapshot found =
                snapshots().find(new NativeId(SNAPSHOT), TestWork.patient()).orElseThrow();
        assertThat(found.source()).isEqualTo(new NativeId(A));
        assertThat(snapshots().findByName(new CsiName(SNAPSHOT), TestWork.patient()))
                .contains(found);
        assertThat(listedSnapshots(Optional.empty())).containsExactly(SNAPSHOT);
        assertThat(listedSnapshots(Optional.of(new NativeId(A)))).containsExactly(SNAPSHOT);
        assertThat(listedSnapshots(Optional.of(new NativeId(B)))).isEmpty();
        assertThat(take(A, SNAPSHOT)).isEqualTo(found);

        StoredVolume restored = make("legacy", "pvc-restored", new Content.OfSnapshot(new NativeId(SNAPSHOT)));
        assertThat(Path.of(restored.medium().path()).resolve("file")).hasContent("as it was");
        assertThat(restored.content()).isEqualTo(new Content.OfSnapshot(new NativeId(SNAPSHOT)));

        snapshots().delete(new NativeId(SNAPSHOT), TestWork.patient());
        snapshots().delete(new NativeId(SNAPSHOT), TestWork.patient());
        assertThat(listedSnapshots(Optional.empty())).isEmpty();
        assertThat(folder.resolve("legacy/snapshots"))
                .isDirectoryNotContaining(it -> !it.endsWith(".fairlead-snapshots"));
    }

    @Test
    void a_snapshot_that_it_did_not_end_is_none_and_can_be_removed() throws IOException {
        String cut = "snapshot-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0010";
        Files.createDirectories(folder.resolve("legacy/snapshots").resolve(cut).resolve("data/part"));
        Path other = Files.createDirectories(folder.resolve("legacy/snapshots/photos"));
        Files.writeString(other.resolve("data"), "a file");

        assertThat(listedSnapshots(Optional.empty())).containsExactly(SNAPSHOT);
        assertThat(snapshots().find(new NativeId(cut), TestWork.patient())).isEmpty();
        assertThatThrownBy(() -> make("legacy", "pvc-cut", new Content.OfSnapshot(new NativeId(cut))))
                .isInstanceOf(StorageException.class);
        snapshots().delete(new NativeId(cut), TestWork.patient());
        assertThat(folder.resolve("legacy/snapshots").resolve(cut)).doesNotExist();
        assertThatThrownBy(() -> snapshots().delete(new NativeId("photos"), TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.NotOurs.class));
        assertThat(other.resolve("data")).hasContent("a file");
    }

    @Test
    void a_snapshot_of_its_volume_is_taken_in_the_pool_and_restored() throws IOException {
        StoredSnapshot taken = take(B, "snap-1");
        Files.writeString(folder.resolve("fast").resolve(B).resolve("file"), "later");

        assertThat(taken.source()).isEqualTo(new NativeId(B));
        assertThat(take(B, "snap-1")).isEqualTo(taken);
        assertThat(snapshots().find(taken.id(), TestWork.patient())).contains(taken);
        assertThat(snapshots().findByName(new CsiName("snap-1"), TestWork.patient()))
                .contains(taken);
        assertThat(listedSnapshots(Optional.of(new NativeId(B))))
                .containsExactly(taken.id().value());
        StoredVolume restored = make("fast", "pvc-r", new Content.OfSnapshot(taken.id()));
        assertThat(Path.of(restored.medium().path()).resolve("file")).hasContent("fast");
        StoredVolume clone = make("fast", "pvc-c", new Content.OfVolume(new NativeId(B)));
        assertThat(Path.of(clone.medium().path()).resolve("file")).hasContent("later");
        assertThat(find("fast/pvc-c").orElseThrow().content()).isEqualTo(new Content.OfVolume(new NativeId(B)));
        snapshots().delete(taken.id(), TestWork.patient());
        assertThat(snapshots().find(taken.id(), TestWork.patient())).isEmpty();
    }

    @Test
    void content_of_another_pool_is_refused() {
        assertThatThrownBy(() -> make("fast", "pvc-c", new Content.OfVolume(new NativeId(A))))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.Unsupported.class));
    }

    @Test
    void a_volume_that_it_made_for_a_claim_and_did_not_answer_is_that_claims() {
        StoredVolume again = make("legacy", A, Content.EMPTY);

        assertThat(again.medium().path())
                .isEqualTo(folder.resolve("legacy").resolve(A).toString());
        assertThat(folder.resolve("legacy/v").resolve(A)).doesNotExist();
        delete(A);
        assertThat(folder.resolve("legacy").resolve(A)).doesNotExist();
    }

    /** An idTemplate of a claim's own name would otherwise let its owner choose whose folder it is. */
    @Test
    void a_claim_of_another_name_gets_no_volume_of_its_whatever_id_it_has() {
        for (Content content : List.of(Content.EMPTY, new Content.OfVolume(new NativeId(A)))) {
            CreateRequest request = TestVolumes.with("pvc-attacker", content);
            VolumeStore.Birth birth = store().plan(request, new NativeId(A));

            assertThatThrownBy(() -> store().existing(birth, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.VolumeConflict.class));
            assertThatThrownBy(() -> store().create(birth, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.VolumeConflict.class));
        }
        assertThat(store().findToMake(new NativeId(A), TestWork.patient())).isEmpty();
        assertThat(folder.resolve("legacy/v").resolve(A)).doesNotExist();
        assertThat(folder.resolve("legacy").resolve(A).resolve("file")).hasContent("precious");
    }

    @Test
    void what_it_may_not_have_restored_to_its_end_is_made_anew_and_deleted_with_it() throws IOException {
        StoredVolume source = make("legacy", "pvc-s", Content.EMPTY);

        StoredVolume restored = make("legacy", A, new Content.OfVolume(source.id()));

        assertThat(restored.medium().path())
                .isEqualTo(folder.resolve("legacy/v").resolve(A).toString());
        assertThat(find(A)).contains(restored);
        assertThat(listed()).containsExactly(B, A, "pvc-s");
        delete(A);
        assertThat(folder.resolve("legacy").resolve(A)).doesNotExist();
        assertThat(folder.resolve("legacy/v").resolve(A)).doesNotExist();
    }

    @Test
    void nothing_counts_as_gone_while_a_pool_is_away() throws IOException {
        make("fast", "pvc-x", Content.EMPTY);
        make("legacy", "pvc-x", Content.EMPTY);
        Files.move(folder.resolve("fast"), folder.resolve("gone"));
        Files.createDirectory(folder.resolve("fast"));

        assertThatThrownBy(() -> delete(B)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> find(B)).isInstanceOf(StorageException.class);
        assertThat(find(A)).isPresent();
        delete(A);
        assertThat(folder.resolve("gone").resolve(B).resolve("file")).exists();
    }

    @Test
    void its_volumes_take_no_room_twice() {
        long before = store().room(Map.of(), TestWork.patient()).available().bytes();
        make("legacy", "pvc-1", Content.EMPTY);
        long after = store().room(Map.of(), TestWork.patient()).available().bytes();

        assertThat(before - after)
                .isGreaterThanOrEqualTo(
                        find("pvc-1").orElseThrow().capacity().orElseThrow().bytes());
    }
}
