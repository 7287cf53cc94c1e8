package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy or a clone has of the properties that the connection and the class ask for. */
class CopiedPropertiesTest {
    private static final String LASTING = "permission denied";
    private static final String REFUSED = "size is greater than available space";
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    private static ZfsFixture bench(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("datasetParentName", "tank/v");
        all.put("detachedSnapshotsDatasetParentName", "tank/s");
        return new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, all);
    }

    private static void make(VolumeStore store, CreateRequest request, Map<String, String> parameters) {
        make(store, request, parameters, Map.of());
    }

    private static void make(
            VolumeStore store, CreateRequest request, Map<String, String> parameters, Map<String, String> mutable) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content(), mutable);
        store.create(store.plan(asked, new NativeId(request.name().value())), TestWork.patient());
    }

    @Test
    void a_reservation_that_was_only_warned_of_is_not_answered_as_made() {
        ZfsFixture fixture = bench(Map.of("datasetEnableReservation", true));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().refuseProperty("refreservation", REFUSED);

        Failing.with(
                Failure.BackendUnavailable.class,
                () -> make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES));

        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isEmpty();
    }

    /** As where what has come is more than the quota takes, and goes when it is compressed. */
    @Test
    void a_quota_that_could_not_be_set_with_the_stream_is_set_when_it_can_be() {
        ZfsFixture fixture = bench(Map.of("datasetEnableQuotas", true));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().refuseProperty("refquota", "size is less than current used or reserved space");
        for (int i = 0; i < 2; i++) {
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES));
        }
        fixture.pool().refuseProperty("refquota", "");
        fixture.pool().files("tank/v/pvc-2").put("came", "with the first stream");

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES);

        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())
                        .orElseThrow()
                        .capacity())
                .contains(TestVolumes.SIZE);
        assertThat(fixture.pool().files("tank/v/pvc-2")).containsKey("came");
    }

    @Test
    void what_reads_back_differently_is_not_answered_as_made() {
        ZfsFixture fixture = bench(Map.of("datasetEnableReservation", true));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().lie("refreservation", "0");

        for (int i = 0; i < 2; i++) {
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES));
        }

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry("dev.fairlead:state", "making");
    }

    @Test
    void nor_is_a_detached_snapshot() {
        ZfsFixture fixture = bench(Map.of("snapshotProperties", Map.of("refreservation", "1048576")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().lie("refreservation", "0");

        for (int i = 0; i < 2; i++) {
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> store.snapshots().orElseThrow().take(detached(), 100, TestWork.patient()));
        }
    }

    @Test
    void a_mutable_property_that_the_pool_lacks_a_feature_for_is_refused() {
        ZfsFixture fixture = bench(Map.of());
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().withoutZstd();

        Failing.with(
                Failure.BackendRejected.class,
                () -> make(
                        store,
                        TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")),
                        COPIES,
                        Map.of("compression", "zstd-9")));

        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isEmpty();
    }

    @Test
    void a_detached_snapshot_with_a_property_that_is_refused_leaves_nothing() {
        ZfsFixture fixture = bench(Map.of("snapshotProperties", Map.of("refreservation", "1048576")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        var before = fixture.pool().names();
        fixture.pool().refuseProperty("refreservation", LASTING);

        Failing.with(
                Failure.BackendRejected.class,
                () -> store.snapshots().orElseThrow().take(detached(), 100, TestWork.patient()));

        fixture.pool().remove("tank/s");
        assertThat(fixture.pool().names()).isEqualTo(before);
    }

    @Test
    void a_detached_snapshot_with_a_property_that_is_refused_for_now_is_sent_once_and_finished_when_it_can_be() {
        ZfsFixture fixture = bench(Map.of("snapshotProperties", Map.of("refreservation", "1048576")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        fixture.pool().refuseProperty("refreservation", REFUSED);
        for (int i = 0; i < 2; i++) {
            Failing.with(Failure.BackendUnavailable.class, () -> snapshots.take(detached(), 100, TestWork.patient()));
        }
        assertThat(snapshots.findByName(new CsiName("snap-1"), TestWork.patient()))
                .isEmpty();
        fixture.pool().refuseProperty("refreservation", "");

        StoredSnapshot taken = snapshots.take(detached(), 100, TestWork.patient());

        assertThat(snapshots.find(taken.id(), TestWork.patient())).contains(taken);
        assertThat(fixture.pool().own("tank/s/pvc-1/snap-1")).containsEntry("refreservation", "1048576");
        assertThat(fixture.pool().history())
                .filteredOn(words -> words.contains("|"))
                .hasSize(1);
        snapshots.delete(taken.id(), TestWork.patient());
        fixture.pool().remove("tank/s");
        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1");
    }

    /** They are set where a dataset is made, and never again. */
    @Test
    void a_copy_and_a_detached_snapshot_are_made_where_the_connection_asks_for_encryption() {
        Map<String, String> encrypted =
                Map.of("encryption", "on", "keyformat", "raw", "keylocation", "file:///key", "pbkdf2iters", "350000");
        ZfsFixture fixture = bench(Map.of("datasetProperties", encrypted, "snapshotProperties", encrypted));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES);
        store.snapshots().orElseThrow().take(detached(), 100, TestWork.patient());

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsAllEntriesOf(encrypted);
        assertThat(fixture.pool().own("tank/s/pvc-1/snap-1")).containsAllEntriesOf(encrypted);
        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"casesensitivity", "normalization", "utf8only"})
    void a_copy_that_was_cut_before_it_had_its_marks_is_given_what_can_be_set(String key) {
        ZfsFixture fixture = bench(Map.of("datasetProperties", Map.of("encryption", "on", key, "on", "atime", "off")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        fixture.pool().put("tank/v/pvc-2", "filesystem", Map.of());
        fixture.pool().put("tank/v/pvc-2@volume-source-for-volume-pvc-2", "snapshot", Map.of());

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES);

        assertThat(fixture.pool().own("tank/v/pvc-2"))
                .containsEntry("atime", "off")
                .doesNotContainKeys("encryption", key);
    }

    private static SnapshotRequest detached() {
        return new SnapshotRequest(new CsiName("snap-1"), new NativeId("pvc-1"), Map.of("detachedSnapshots", "true"));
    }

    @Test
    void nor_does_one_that_a_call_was_cut_at_and_the_next_is_refused() {
        ZfsFixture fixture = bench(Map.of("snapshotProperties", Map.of("refreservation", "1048576")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        var before = fixture.pool().names();
        fixture.pool().refuseProperty("refreservation", LASTING);
        fixture.pool().cutNextCopy();
        Failing.with(
                Failure.OutcomeUnknown.class,
                () -> store.snapshots().orElseThrow().take(detached(), 100, TestWork.patient()));
        fixture.pool().endCopies(true);

        Failing.with(
                Failure.BackendRejected.class,
                () -> store.snapshots().orElseThrow().take(detached(), 100, TestWork.patient()));

        fixture.pool().remove("tank/s");
        assertThat(fixture.pool().names()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acls_are_on_in_clones_and_copies_as_in_what_is_made_empty(boolean copied) {
        ZfsFixture fixture = bench(Map.of(
                "datasetProperties",
                Map.of("acltype", "posix", "aclinherit", "passthrough", "casesensitivity", "insensitive"),
                "datasetPermissionsAcls",
                List.of("-m u:kube:rwx")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), copied ? COPIES : Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-2"))
                .containsEntry("acltype", "posix")
                .containsEntry("aclinherit", "passthrough")
                .doesNotContainKey("casesensitivity");
    }
}
