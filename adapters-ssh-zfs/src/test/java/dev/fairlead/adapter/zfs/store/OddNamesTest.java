package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that ZFS takes and hardly anybody gives, and as many parents as there may be. */
class OddNamesTest {
    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    @Test
    void what_is_missing_in_a_pool_whose_name_has_a_blank_is_missing() {
        ZfsFixture fixture = new ZfsFixture(
                VolumeMedium.Kind.FILESYSTEM,
                Map.of("datasetParentName", "my pool/v"),
                Map.of(),
                "my pool",
                "my pool/v");
        VolumeStore store = fixture.open();
        NativeId id = new NativeId("pvc-1");

        assertThat(store.find(id, TestWork.patient())).isEmpty();
        StoredVolume volume = make(store, "pvc-1");
        store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap", volume), 100, TestWork.patient());
        store.snapshots().orElseThrow().delete(new NativeId("pvc-1@snap"), TestWork.patient());
        store.delete(id, OnDependents.REFUSE, TestWork.patient());
        store.delete(id, OnDependents.REFUSE, TestWork.patient());

        fixture.verifyEmpty();
    }

    @Test
    void a_pool_whose_name_has_a_blank_and_is_not_there_is_out_of_reach() {
        ZfsFixture fixture = new ZfsFixture(
                VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "my pool/v"), Map.of(), "tank");

        Failing.with(
                Failure.BackendUnavailable.class, () -> fixture.open().find(new NativeId("pvc-1"), TestWork.patient()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_volume_whose_name_is_long_is_cloned_and_copied(boolean copied) {
        ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        VolumeStore store = fixture.open();
        StoredVolume source = make(store, "v".repeat(128));
        NativeId id = new NativeId("w".repeat(127) + "1");
        CreateRequest clone = TestVolumes.fromVolume(id.value(), source.id());
        CreateRequest request = new CreateRequest(
                clone.name(),
                clone.capacity(),
                clone.capabilities(),
                Map.of("detachedVolumesFromVolumes", Boolean.toString(copied)),
                clone.content());

        StoredVolume made =
                store.create(store.plan(request, id), TestWork.patient()).volume();

        assertThat(store.find(id, TestWork.patient())).contains(made);
        store.delete(id, OnDependents.REFUSE, TestWork.patient());
        store.delete(source.id(), OnDependents.REFUSE, TestWork.patient());
        fixture.verifyEmpty();
    }

    @Test
    void whether_content_arrives_under_a_long_name_can_be_told() {
        ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        NativeId id = make(fixture.open(), "v".repeat(128)).id();

        assertThat(fixture.open().transfer().orElseThrow().receiver().begun(id, TestWork.patient()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-daily", "- ", " daily", "daily ", "--", "..."})
    void a_strangers_snapshot_is_seen_whatever_it_is_called(String name) {
        ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        NativeId id = make(fixture.open(), "pvc-1").id();
        fixture.pool().play(List.of("zfs", "snapshot", "tank/v/pvc-1@" + name));
        fixture.pool().play(List.of("zfs", "snapshot", "tank/v/pvc-1@" + name + "2"));

        assertThat(fixture.open()
                        .deletionCheck(id, OnDependents.REFUSE, TestWork.patient())
                        .obstacles())
                .extracting(VolumeStore.Dependent::what)
                .anyMatch(what -> what.endsWith("tank/v/pvc-1@" + name));
        fixture.open(ForeignSnapshots.DESTROY).delete(id, OnDependents.REFUSE, TestWork.patient());

        fixture.verifyEmpty();
    }

    @Test
    void a_strangers_dataset_below_a_volume_is_seen_whatever_it_is_called() {
        ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        NativeId id = make(fixture.open(), "pvc-1").id();
        fixture.pool().put("tank/v/pvc-1/-x", "filesystem", Map.of());

        assertThat(fixture.open()
                        .deletionCheck(id, OnDependents.REFUSE, TestWork.patient())
                        .obstacles())
                .extracting(VolumeStore.Dependent::what)
                .containsExactly("the dataset tank/v/pvc-1/-x");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_snapshot_is_taken_with_as_many_labelled_parents_as_there_may_be(boolean there) {
        Map<String, String> parents =
                IntStream.range(0, 64).boxed().collect(Collectors.toMap(i -> "label" + i, i -> "tank/p" + i));
        var datasets =
                there ? parents.values().stream() : parents.values().stream().limit(1);
        ZfsFixture fixture = new ZfsFixture(
                VolumeMedium.Kind.FILESYSTEM,
                Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"),
                parents,
                Stream.concat(Stream.of("tank", "tank/v", "tank/s"), datasets).toArray(String[]::new));
        VolumeStore store = fixture.open();
        StoredVolume one = make(store, "pvc-1");
        StoredVolume two = make(store, "pvc-2");

        var taken = store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap", one), 100, TestWork.patient());

        assertThat(taken.id().value()).isEqualTo("pvc-1@snap");
        assertThat(store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap", two), 100, TestWork.patient()))
                .as("whose name is used, of whichever volume")
                .isEqualTo(taken);
    }
}
