package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies whose stream is still coming, or has ended too early, while others ask for them. */
class UnfinishedCopiesTest {
    private static final String COPY = "tank/s/pvc-1/snap-1";
    private static final Map<String, String> COPIED = Map.of("detachedVolumesFromSnapshots", "true");
    private static final NativeId SNAPSHOT = new NativeId("pvc-1/snap-1");

    private ZfsFixture fixture = bench(VolumeMedium.Kind.FILESYSTEM);
    private VolumeStore store = fixture.open();
    private SnapshotStore snapshots = store.snapshots().orElseThrow();

    private static ZfsFixture bench(VolumeMedium.Kind kind) {
        return new ZfsFixture(
                kind, Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"));
    }

    private StoredVolume make(CreateRequest request, Map<String, String> parameters) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content());
        return store.create(store.plan(asked, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private StoredVolume source() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().files("tank/v/pvc-1").put("data", "precious");
        return source;
    }

    private StoredVolume copy(StoredVolume source) {
        return make(TestVolumes.fromVolume("pvc-2", source.id()), Map.of("detachedVolumesFromVolumes", "true"));
    }

    private StoredSnapshot detach(StoredVolume source) {
        var request = new SnapshotRequest(new CsiName("snap-1"), source.id(), Map.of("detachedSnapshots", "true"));
        return snapshots.take(request, 100, TestWork.patient());
    }

    private void requireNoneReady(StoredVolume source) {
        assertThat(snapshots.find(SNAPSHOT, TestWork.patient())).isEmpty();
        assertThat(snapshots.findByName(new CsiName("snap-1"), TestWork.patient()))
                .isEmpty();
        assertThat(snapshots
                        .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                        .items())
                .isEmpty();
        Failing.with(Failure.BackendUnavailable.class, () -> detach(source));
        Failing.with(Failure.BackendUnavailable.class, () -> snapshots.delete(SNAPSHOT, TestWork.patient()));
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> store.delete(source.id(), OnDependents.REFUSE, TestWork.patient()));
        assertThat(fixture.pool().files("tank/v/pvc-1")).containsEntry("data", "precious");
    }

    @Test
    void a_detached_snapshot_is_not_there_until_all_of_it_has_come() {
        StoredVolume source = source();
        var looks = new AtomicInteger();
        fixture.pool().duringCopies(() -> {
            looks.incrementAndGet();
            requireNoneReady(source);
        });

        StoredSnapshot snapshot = detach(source);

        assertThat(looks).hasValue(1);
        assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
    }

    @Test
    void one_that_the_host_goes_on_with_alone_is_waited_for() {
        StoredVolume source = source();
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> detach(source));
        requireNoneReady(source);
        fixture.pool().endCopies(true);

        StoredSnapshot snapshot = detach(source);
        store.delete(source.id(), OnDependents.REFUSE, TestWork.patient());

        assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
        assertThat(fixture.pool().files(COPY)).containsEntry("data", "precious");
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/s", "tank/s/pvc-1", COPY);
    }

    @Test
    void one_whose_stream_has_ended_too_early_is_made_anew() {
        StoredVolume source = source();
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> detach(source));
        fixture.pool().endCopies(false);
        assertThat(snapshots.find(SNAPSHOT, TestWork.patient())).isEmpty();

        detach(source);

        assertThat(fixture.pool().files(COPY)).containsEntry("data", "precious");
    }

    private void leaveUnmarked() {
        fixture.pool().put("tank/s", "filesystem", Map.of());
        fixture.pool().put("tank/s/pvc-1", "filesystem", Map.of("dev.fairlead:state", "holder"));
        fixture.pool()
                .put(
                        COPY,
                        "filesystem",
                        Map.of(
                                "dev.fairlead:state", "making",
                                "democratic-csi:managed_resource", "true",
                                "democratic-csi:csi_snapshot_name", "snap-1",
                                "democratic-csi:csi_snapshot_source_volume_id", "pvc-1"));
        fixture.pool().put(COPY + "@volume-source-for-snapshot-snap-1", "snapshot", Map.of());
    }

    @Test
    void one_that_all_has_come_of_needs_its_source_no_more() {
        StoredVolume source = source();
        leaveUnmarked();
        store.delete(source.id(), OnDependents.REFUSE, TestWork.patient());
        assertThat(snapshots.find(SNAPSHOT, TestWork.patient())).isEmpty();

        StoredSnapshot snapshot = detach(source);

        assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
        assertThat(fixture.pool().names()).doesNotContain(COPY + "@volume-source-for-snapshot-snap-1");
    }

    @Test
    void one_that_was_never_finished_is_deleted_with_all_that_was_made_for_it() {
        source();
        leaveUnmarked();
        fixture.pool()
                .play(List.of(
                        "zfs",
                        "snapshot",
                        "-o",
                        "democratic-csi:managed_resource=false",
                        "tank/v/pvc-1@volume-source-for-snapshot-snap-1"));

        snapshots.delete(SNAPSHOT, TestWork.patient());

        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1", "tank/s");
    }

    /** It gives its marks when the stream has ended, and knows no state. */
    @Test
    void a_detached_snapshot_of_democratic_csi_is_ready_once_it_has_its_marks() {
        StoredVolume source = source();
        leaveUnmarked();
        fixture.pool().play(List.of("zfs", "inherit", "dev.fairlead:state", COPY));

        assertThat(snapshots.find(SNAPSHOT, TestWork.patient())).isPresent();
        assertThat(detach(source).id()).isEqualTo(SNAPSHOT);
    }

    @ParameterizedTest
    @EnumSource(VolumeMedium.Kind.class)
    void a_copy_that_the_host_goes_on_with_alone_is_no_volume_before_its_end(VolumeMedium.Kind kind) {
        open(kind);
        StoredVolume source = source();
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> copy(source));

        Failing.with(Failure.BackendUnavailable.class, () -> copy(source));
        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isEmpty();
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> make(TestVolumes.fromVolume("pvc-2", source.id()), Map.of())); // the class is another by now
        fixture.pool().endCopies(true);

        assertThat(copy(source).id()).isEqualTo(new NativeId("pvc-2"));
        assertThat(fixture.pool().files("tank/v/pvc-2")).containsEntry("data", "precious");
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1", "tank/v/pvc-2");
    }

    private void open(VolumeMedium.Kind kind) {
        fixture = bench(kind);
        store = fixture.open();
        snapshots = store.snapshots().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(VolumeMedium.Kind.class)
    void a_copy_whose_stream_has_ended_too_early_is_made_anew(VolumeMedium.Kind kind) {
        open(kind);
        StoredVolume source = source();
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> copy(source));
        fixture.pool().endCopies(false);

        copy(source);

        assertThat(fixture.pool().files("tank/v/pvc-2")).containsEntry("data", "precious");
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1", "tank/v/pvc-2");
    }

    /** Nothing keeps its snapshot, which somebody has asked for, from being read again. */
    @ParameterizedTest
    @EnumSource(VolumeMedium.Kind.class)
    void a_restore_that_the_host_goes_on_with_alone_is_no_volume_before_its_end(VolumeMedium.Kind kind) {
        open(kind);
        StoredVolume source = source();
        StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
        CreateRequest request = TestVolumes.fromSnapshot("pvc-2", snapshot.id());
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> make(request, COPIED));

        Failing.with(Failure.BackendUnavailable.class, () -> make(request, COPIED));
        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isEmpty();
        fixture.pool().endCopies(true);

        make(request, COPIED);
        assertThat(fixture.pool().files("tank/v/pvc-2")).containsEntry("data", "precious");
    }

    /** Else the folder below the mountpoint would get its owner and mode, and the copy be taken for whole. */
    @Test
    void a_copy_that_cannot_be_mounted_is_not_finished() {
        fixture = new ZfsFixture(
                VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v", "datasetPermissionsMode", "0777"));
        store = fixture.open();
        StoredVolume source = source();
        fixture.pool().cutNextCopy();
        Failing.with(Failure.OutcomeUnknown.class, () -> copy(source));
        fixture.pool().endCopies(true);
        fixture.pool().refuse("mount", "cannot mount '/tank/v/pvc-2': directory is not empty");
        fixture.pool().unmount("tank/v/pvc-2");
        Map<String, String> own = new HashMap<>(fixture.pool().own("tank/v/pvc-2"));
        own.put("dev.fairlead:state", "making");
        fixture.pool().put("tank/v/pvc-2", "filesystem", own);
        fixture.pool().put("tank/v/pvc-2@volume-source-for-volume-pvc-2", "snapshot", Map.of());

        int ofTheFirst = fixture.pool().history().size();

        Failing.with(Failure.BackendUnavailable.class, () -> copy(source));

        List<List<String>> history = fixture.pool().history();
        assertThat(history.subList(ofTheFirst, history.size()))
                .contains(List.of("zfs", "mount", "tank/v/pvc-2"))
                .doesNotContain(List.of("chmod", "0777", "/tank/v/pvc-2"));
    }
}
