package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
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
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies in a pool that says something else of a property than what was asked for, whichever property it is. */
class ReadBackPropertiesTest {
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    private static ZfsFixture fixture(Map<String, ?> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("datasetParentName", "tank/v");
        all.put("detachedSnapshotsDatasetParentName", "tank/s");
        return new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, all);
    }

    private static VolumeStore withSource(ZfsFixture fixture) {
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        return store;
    }

    private static void make(VolumeStore store, CreateRequest request, Map<String, String> parameters) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content());
        store.create(store.plan(asked, new NativeId(request.name().value())), TestWork.patient());
    }

    private static void copy(VolumeStore store) {
        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), COPIES);
    }

    private static StoredSnapshot snapshot(VolumeStore store) {
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        return snapshots.take(
                new SnapshotRequest(new CsiName("snap-1"), new NativeId("pvc-1"), Map.of("detachedSnapshots", "true")),
                100,
                TestWork.patient());
    }

    @ParameterizedTest
    @CsvSource({
        "aclmode, passthrough, discard",
        "acltype, posix, off",
        "aclinherit, passthrough, restricted",
        "xattr, sa, off",
        "atime, off, on",
        "compression, lz4, off",
        "compression, on, off",
        "compression, gzip-6, gzip-9",
        "sync, always, standard",
        "snapdir, visible, hidden",
        "recordsize, 1M, 131072",
        "quota, 10G, 0",
        "refquota, 10G, 1073741824",
        "reservation, 1M, 0",
        "refreservation, 1M, 0",
        "quota, none, 1048576"
    })
    void a_property_that_reads_back_otherwise_is_not_answered_as_set(String key, String asked, String lie) {
        ZfsFixture fixture =
                fixture(Map.of("datasetProperties", Map.of(key, asked), "snapshotProperties", Map.of(key, asked)));
        VolumeStore store = withSource(fixture);
        fixture.pool().lie(key, lie);

        for (int i = 0; i < 2; i++) {
            Failing.with(Failure.BackendUnavailable.class, () -> copy(store));
            Failing.with(Failure.BackendUnavailable.class, () -> snapshot(store));
        }
        assertThatThrownBy(() -> copy(store))
                .hasMessageContaining(key + " is not '" + asked + "', as it was asked for, but " + lie);

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry("dev.fairlead:state", "making");
        assertThat(fixture.pool().own("tank/s/pvc-1/snap-1")).containsEntry("dev.fairlead:state", "making");
    }

    @ParameterizedTest
    @CsvSource({
        "aclmode, passthrough",
        "acltype, posix",
        "aclinherit, passthrough",
        "xattr, sa",
        "atime, off",
        "compression, lz4",
        "recordsize, 1M",
        "quota, 8G",
        "refquota, 8G",
        "reservation, 1M",
        "refreservation, 1M"
    })
    void a_property_that_is_refused_with_the_stream_and_after_it_makes_nothing_of_it(String key, String asked) {
        ZfsFixture fixture =
                fixture(Map.of("datasetProperties", Map.of(key, asked), "snapshotProperties", Map.of(key, asked)));
        VolumeStore store = withSource(fixture);
        Set<String> before = fixture.pool().names();
        fixture.pool().refuseProperty(key, "permission denied");

        Failing.with(Failure.BackendRejected.class, () -> copy(store));
        assertThat(store.find(new NativeId("pvc-2"), TestWork.patient())).isEmpty();
        store.delete(new NativeId("pvc-2"), OnDependents.REFUSE, TestWork.patient()); // as its use case does
        Failing.with(Failure.BackendRejected.class, () -> snapshot(store));

        fixture.pool().remove("tank/s");
        assertThat(fixture.pool().names()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "compression, gzip-6, gzip",
        "acltype, posixacl, posix",
        "aclinherit, secure, restricted",
        "xattr, dir, on",
        "recordsize, 1M, 1048576",
        "quota, none, 0",
        "quota, 10G, 10737418240",
        "refquota, 10G, 10737418240",
        "reservation, 1M, 1048576",
        "refreservation, 1024K, 1048576"
    })
    void one_that_zfs_keeps_in_another_form_is_taken_for_what_it_is(String key, String asked, String kept) {
        ZfsFixture fixture =
                fixture(Map.of("datasetProperties", Map.of(key, asked), "snapshotProperties", Map.of(key, asked)));
        VolumeStore store = withSource(fixture);

        copy(store);
        snapshot(store);

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry(key, kept);
        assertThat(fixture.pool().own("tank/s/pvc-1/snap-1")).containsEntry(key, kept);
    }

    /** A restore gives up what the snapshot has, and has the class's and the connection's own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_restore_of_a_detached_snapshot_is_given_all_its_limits_in_one_command(boolean copied) {
        Map<String, String> limits = Map.of("quota", "8G", "reservation", "3M");
        ZfsFixture fixture = fixture(Map.of(
                "datasetProperties",
                limits,
                "datasetEnableQuotas",
                true,
                "datasetEnableReservation",
                true,
                "snapshotProperties",
                Map.of("refquota", "5G")));
        VolumeStore store = withSource(fixture);
        String bytes = Long.toString(TestVolumes.SIZE.bytes());
        StoredSnapshot snapshot = snapshot(store);

        make(store, TestVolumes.fromSnapshot("pvc-2", snapshot.id()), copied ? COPIES : Map.of());

        assertThat(fixture.pool().history())
                .filteredOn(words -> words.contains(copied ? "receive" : "clone")
                        && words.getLast().startsWith("tank/v/pvc-2"))
                .singleElement()
                .satisfies(words -> assertThat(words)
                        .contains("quota=8G", "refquota=" + bytes, "reservation=3M", "refreservation=" + bytes));
        assertThat(fixture.pool().own("tank/v/pvc-2"))
                .containsEntry("quota", "8589934592")
                .containsEntry("refquota", bytes)
                .containsEntry("reservation", "3145728")
                .containsEntry("refreservation", bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quota", "refquota", "reservation", "refreservation"})
    void a_restore_of_a_detached_snapshot_without_one_of_its_limits_is_not_answered_as_made(String key) {
        ZfsFixture fixture = fixture(Map.of(
                "datasetProperties",
                Map.of("quota", "8G", "reservation", "3M"),
                "datasetEnableQuotas",
                true,
                "datasetEnableReservation",
                true));
        VolumeStore store = withSource(fixture);
        NativeId snapshot = snapshot(store).id();
        fixture.pool().lie(key, "0");

        Failing.with(
                Failure.BackendUnavailable.class,
                () -> make(store, TestVolumes.fromSnapshot("pvc-2", snapshot), COPIES));

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry("dev.fairlead:state", "making");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "copied", "detached", "detached, copied"})
    void acls_are_on_wherever_content_goes(String how) {
        Map<String, String> acls =
                Map.of("acltype", "posix", "aclmode", "passthrough", "aclinherit", "passthrough", "xattr", "sa");
        ZfsFixture fixture =
                fixture(Map.of("datasetProperties", acls, "datasetPermissionsAcls", List.of("-m u:kube:rwx")));
        VolumeStore store = withSource(fixture);
        CreateRequest request = how.contains("detached")
                ? TestVolumes.fromSnapshot("pvc-2", snapshot(store).id())
                : TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1"));

        make(store, request, how.contains("copied") ? COPIES : Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsAllEntriesOf(acls);
    }
}
