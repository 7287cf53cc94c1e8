package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes and snapshots that are copies by send and receive, and hang on nothing. */
class DetachedTest {
    private final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.FILESYSTEM,
            Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"));
    private final VolumeStore store = fixture.open();
    private final SnapshotStore snapshots = store.snapshots().orElseThrow();

    private StoredVolume make(CreateRequest request) {
        NativeId id = new NativeId(request.name().value());
        return store.create(store.plan(request, id), TestWork.patient()).volume();
    }

    private static CreateRequest with(CreateRequest request, String key) {
        return new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), Map.of(key, "true"), request.content());
    }

    private StoredSnapshot detach(String name, StoredVolume source) {
        var request = new SnapshotRequest(new CsiName(name), source.id(), Map.of("detachedSnapshots", "true"));
        return snapshots.take(request, 100, TestWork.patient());
    }

    private Map<String, String> files(StoredVolume volume) {
        return fixture.pool().files("tank/v/" + volume.id());
    }

    private void delete(StoredVolume volume) {
        store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
    }

    @Test
    void a_detached_clone_has_the_content_and_nothing_hangs_on_its_source() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        files(source).put("data", "precious");

        StoredVolume copy = make(with(TestVolumes.fromVolume("pvc-2", source.id()), "detachedVolumesFromVolumes"));

        assertThat(files(copy)).containsEntry("data", "precious");
        assertThat(copy.content()).isEqualTo(new Content.OfVolume(source.id()));
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1", "tank/v/pvc-2");
        delete(source);
        assertThat(files(copy)).containsEntry("data", "precious");
    }

    @Test
    void a_detached_restore_leaves_the_snapshot_free_to_go() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        files(source).put("data", "then");
        StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
        files(source).put("data", "now");

        StoredVolume restored =
                make(with(TestVolumes.fromSnapshot("pvc-2", snapshot.id()), "detachedVolumesFromSnapshots"));
        snapshots.delete(snapshot.id(), TestWork.patient());

        assertThat(files(restored)).containsEntry("data", "then");
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1", "tank/v/pvc-2");
    }

    @Test
    void a_detached_snapshot_outlives_its_volume_and_is_restored_from() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        files(source).put("data", "precious");

        StoredSnapshot snapshot = detach("snap-1", source);

        assertThat(snapshot.id()).isEqualTo(new NativeId("pvc-1/snap-1"));
        assertThat(snapshot.source()).isEqualTo(source.id());
        assertThat(detach("snap-1", source)).isEqualTo(snapshot);
        assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
        assertThat(snapshots.findByName(new CsiName("snap-1"), TestWork.patient()))
                .contains(snapshot);
        assertThat(listed(Optional.empty())).containsExactly(snapshot);
        assertThat(listed(Optional.of(source.id()))).containsExactly(snapshot);
        delete(source);
        StoredVolume restored = make(TestVolumes.fromSnapshot("pvc-2", snapshot.id()));
        assertThat(files(restored)).containsEntry("data", "precious");
        Failing.with(Failure.InUse.class, () -> snapshots.delete(snapshot.id(), TestWork.patient()));
        delete(restored);
        snapshots.delete(snapshot.id(), TestWork.patient());
        snapshots.delete(snapshot.id(), TestWork.patient());
        assertThat(fixture.pool().names()).isEqualTo(Set.of("tank", "tank/v", "tank/s"));
    }

    private List<StoredSnapshot> listed(Optional<NativeId> source) {
        return snapshots.list(source, PageRequest.all(), TestWork.patient()).items();
    }

    /** democratic-csi takes a copy for done that was cut before it had its marks, and never lists it. */
    @Test
    void a_copy_that_was_cut_before_it_had_its_marks_is_finished() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        fixture.pool().put("tank/v/pvc-2", "filesystem", Map.of());
        fixture.pool().put("tank/v/pvc-2@volume-source-for-volume-pvc-2", "snapshot", Map.of());

        make(with(TestVolumes.fromVolume("pvc-2", source.id()), "detachedVolumesFromVolumes"));

        assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                .extracting(volume -> volume.id().value())
                .containsExactly("pvc-1", "pvc-2");
        assertThat(fixture.pool().names())
                .doesNotContain("tank/v/pvc-2@volume-source-for-volume-pvc-2")
                .doesNotContain("tank/v/pvc-1@volume-source-for-volume-pvc-2");
    }

    @Test
    void a_dataset_of_somebody_else_is_never_taken_for_a_copy() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        fixture.pool().put("tank/v/pvc-2", "filesystem", Map.of());

        Failing.with(
                Failure.NotOurs.class,
                () -> make(with(TestVolumes.fromVolume("pvc-2", source.id()), "detachedVolumesFromVolumes")));

        fixture.pool().put("tank/s", "filesystem", Map.of());
        fixture.pool().put("tank/s/pvc-1", "filesystem", Map.of());
        fixture.pool().put("tank/s/pvc-1/snap-1", "filesystem", Map.of());
        Failing.with(Failure.NotOurs.class, () -> detach("snap-1", source));
        assertThat(fixture.pool().own("tank/s/pvc-1/snap-1")).isEmpty();
    }

    @Test
    void an_empty_dataset_of_somebody_else_is_no_holder_of_a_snapshot_that_never_was() {
        fixture.pool().put("tank/s", "filesystem", Map.of());
        fixture.pool().put("tank/s/pvc-9", "filesystem", Map.of());

        snapshots.delete(new NativeId("pvc-9/snap-1"), TestWork.patient());

        assertThat(fixture.pool().names()).contains("tank/s/pvc-9");
    }

    @Test
    void a_dataset_with_a_property_of_its_own_outlives_the_last_snapshot_in_it() {
        fixture.pool().put("tank/s", "filesystem", Map.of());
        fixture.pool().put("tank/s/pvc-1", "filesystem", Map.of("quota", "1048576"));
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredSnapshot snapshot = detach("snap-1", source);

        snapshots.delete(snapshot.id(), TestWork.patient());

        assertThat(fixture.pool().names()).contains("tank/s/pvc-1").doesNotContain("tank/s/pvc-1/snap-1");
    }

    /**
     * As after the connection was given another parent, which is not there yet. A process that has met the parent would
     * say that its pool is away instead.
     */
    @ParameterizedTest
    @ValueSource(strings = {"none", "detachedVolumesFromSnapshots"})
    void a_restore_makes_the_parent_that_is_missing(String key) {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredSnapshot snapshot = detach("snap-1", source);
        delete(source);
        fixture.pool().remove("tank/v");
        VolumeStore later = fixture.open();
        CreateRequest request = with(TestVolumes.fromSnapshot("pvc-2", snapshot.id()), key);

        later.create(later.plan(request, new NativeId("pvc-2")), TestWork.patient());

        assertThat(later.find(new NativeId("pvc-2"), TestWork.patient())).isPresent();
    }

    @Test
    void a_copy_whose_parent_is_missing_and_was_never_met_is_not_gone() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredSnapshot snapshot = detach("snap-1", source);
        List.of("tank/s/pvc-1/snap-1", "tank/s/pvc-1", "tank/s").forEach(fixture.pool()::remove);
        VolumeStore later = fixture.open();
        SnapshotStore copies = later.snapshots().orElseThrow();

        Failing.with(Failure.BackendUnavailable.class, () -> copies.find(snapshot.id(), TestWork.patient()));
        Failing.with(Failure.BackendUnavailable.class, () -> copies.delete(snapshot.id(), TestWork.patient()));
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> later.create(
                        later.plan(TestVolumes.fromSnapshot("pvc-2", snapshot.id()), new NativeId("pvc-2")),
                        TestWork.patient()));
        assertThat(copies.list(Optional.of(source.id()), PageRequest.all(), TestWork.patient())
                        .items())
                .isEmpty();
        assertThat(fixture.pool().names()).doesNotContain("tank/s");
        var request = new SnapshotRequest(new CsiName("snap-1"), source.id(), Map.of("detachedSnapshots", "true"));
        assertThat(copies.take(request, 100, TestWork.patient()).id()).isEqualTo(snapshot.id());
    }

    @Test
    void without_a_place_for_them_they_are_refused() {
        var plain = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v")).open();
        StoredVolume source = plain.create(
                        plain.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1")), TestWork.patient())
                .volume();
        var request = new SnapshotRequest(new CsiName("s"), source.id(), Map.of("detachedSnapshots", "true"));

        Failing.with(
                Failure.Unsupported.class,
                () -> plain.snapshots().orElseThrow().take(request, 100, TestWork.patient()));
    }
}
