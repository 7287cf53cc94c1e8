package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code zvolEnableReservation} sets aside: the size of what is made empty, and of nothing else. */
class ReservedVolumesTest {
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    private static ZfsFixture fixture(boolean reserved) {
        return new ZfsFixture(
                VolumeMedium.Kind.BLOCK_DEVICE,
                Map.of(
                        "datasetParentName",
                        "tank/v",
                        "detachedSnapshotsDatasetParentName",
                        "tank/s",
                        "zvolEnableReservation",
                        reserved));
    }

    private static void make(VolumeStore store, CreateRequest request, Map<String, String> parameters) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content());
        store.create(store.plan(asked, new NativeId(request.name().value())), TestWork.patient());
    }

    private static NativeId snapshot(VolumeStore store) {
        return store.snapshots()
                .orElseThrow()
                .take(
                        new SnapshotRequest(
                                new CsiName("snap-1"), new NativeId("pvc-1"), Map.of("detachedSnapshots", "true")),
                        100,
                        TestWork.patient())
                .id();
    }

    @Test
    void one_that_is_made_empty_is_reserved() {
        ZfsFixture fixture = fixture(true);

        make(fixture.open(), TestVolumes.empty("pvc-1"), Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-1"))
                .containsEntry("refreservation", Long.toString(TestVolumes.SIZE.bytes()));
    }

    @Test
    void one_is_sparse_without_the_key() {
        ZfsFixture fixture = fixture(false);

        make(fixture.open(), TestVolumes.empty("pvc-1"), Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-1")).containsEntry("refreservation", "0");
    }

    /** As democratic-csi, which sends no property then: a clone has its own, and a stream has none. */
    @ParameterizedTest
    @ValueSource(strings = {"clone", "copy", "restore", "copied restore"})
    void one_with_content_is_not_reserved(String how) {
        ZfsFixture fixture = fixture(true);
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        CreateRequest request = how.contains("restore")
                ? TestVolumes.fromSnapshot("pvc-2", snapshot(store))
                : TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1"));

        make(store, request, how.startsWith("cop") ? COPIES : Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-2"))
                .containsEntry("volsize", Long.toString(TestVolumes.SIZE.bytes()))
                .doesNotContainKey("refreservation");
    }

    /** ZFS itself keeps the reservation of one that has one at its size. */
    @ParameterizedTest
    @ValueSource(strings = {"clone", "copy"})
    void one_with_content_that_grows_is_still_not_reserved(String how) {
        ZfsFixture fixture = fixture(true);
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());
        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), how.equals("copy") ? COPIES : Map.of());
        Capacity twice = Capacity.ofBytes(2 * TestVolumes.SIZE.bytes());

        StoredVolume grown = store.expand(new NativeId("pvc-2"), TestVolumes.atLeast(twice), TestWork.patient());

        assertThat(grown.capacity()).contains(twice);
        assertThat(fixture.pool().own("tank/v/pvc-2"))
                .containsEntry("volsize", Long.toString(twice.bytes()))
                .doesNotContainKey("refreservation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clone", "copy"})
    void one_with_content_is_said_to_be_sparse_without_the_key(String how) {
        ZfsFixture fixture = fixture(false);
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), how.equals("copy") ? COPIES : Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry("refreservation", "0");
    }

    /** The document tells to do so, and the class can be given it by the connection's file. */
    @ParameterizedTest
    @ValueSource(strings = {"clone", "copy"})
    void one_with_content_is_reserved_where_the_connection_asks_for_the_property_itself(String how) {
        ZfsFixture fixture = new ZfsFixture(
                VolumeMedium.Kind.BLOCK_DEVICE,
                Map.of(
                        "datasetParentName",
                        "tank/v",
                        "zvolEnableReservation",
                        true,
                        "datasetProperties",
                        Map.of("refreservation", "1G")));
        VolumeStore store = fixture.open();
        make(store, TestVolumes.empty("pvc-1"), Map.of());

        make(store, TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")), how.equals("copy") ? COPIES : Map.of());

        assertThat(fixture.pool().own("tank/v/pvc-2")).containsEntry("refreservation", "1073741824");
    }
}
