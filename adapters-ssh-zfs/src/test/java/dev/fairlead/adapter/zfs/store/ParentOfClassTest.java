package dev.fairlead.adapter.zfs.store;

import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.FAR;
import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.FAST;
import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.USUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Volumes below the parent that their class names, beside those below the usual one. */
class ParentOfClassTest {
    private final SeveralParentsFixture several = new SeveralParentsFixture();
    private final ZfsFixture fixture = several.fixture;
    private final VolumeStore store = several.store;
    private final SnapshotStore snapshots = several.snapshots;

    @Test
    void a_volume_lies_where_its_class_says_and_its_id_says_so_too() {
        StoredVolume usual = several.make("pvc-1", USUAL);
        StoredVolume fast = several.make("pvc-2", FAST);
        StoredVolume far = several.make("pvc-3", FAR);

        assertThat(List.of(usual, fast, far))
                .extracting(
                        volume -> volume.id().value(), volume -> volume.medium().path())
                .containsExactly(
                        tuple("pvc-1", "/tank/v/pvc-1"),
                        tuple("fast.pvc-2", "/tank/fast/pvc-2"),
                        tuple("far.pvc-3", "/ssd/v/pvc-3"));
        assertThat(fixture.pool().own("ssd/v/pvc-3"))
                .containsEntry(PeerProperties.VOLUME_NAME, "pvc-3")
                .containsEntry(PeerProperties.MANAGED, "true");
        for (StoredVolume volume : List.of(usual, fast, far)) {
            assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
        }
    }

    @Test
    void a_label_that_is_not_allowed_is_refused_before_anything_is_asked_of_the_storage() {
        assertThatThrownBy(() -> several.make("pvc-1", Map.of("parent", "tank/other")))
                .hasMessageContainingAll("parent: 'tank/other'", "one of [far, fast]", "fairlead.parents");
        Failing.with(Failure.InvalidRequest.class, () -> several.make("pvc-1", Map.of("parent", "Fast")));
        Failing.with(Failure.InvalidRequest.class, () -> store.room(Map.of("parent", "slow"), TestWork.patient()));

        assertThat(fixture.pool().roundTrips()).isZero();
    }

    @Test
    void a_connection_of_one_parent_says_that_it_has_no_others() {
        var alone = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        try (VolumeStore one = alone.open()) {
            assertThatThrownBy(() -> one.plan(
                            SeveralParentsFixture.request(TestVolumes.empty("pvc-1"), FAST), new NativeId("pvc-1")))
                    .hasMessageContainingAll("parent: 'fast'", "no fairlead.parents");
        }
    }

    @Test
    void an_empty_parameter_is_none() {
        assertThat(several.make("pvc-1", Map.of("parent", "")).id()).hasToString("pvc-1");
    }

    @Test
    void a_suggested_id_never_passes_for_a_label() {
        Failing.with(
                Failure.InvalidRequest.class, () -> store.plan(TestVolumes.empty("pvc-1"), new NativeId("fast.pvc-1")));
        Failing.with(
                Failure.InvalidRequest.class,
                () -> store.plan(
                        SeveralParentsFixture.request(TestVolumes.empty("pvc-1"), FAST), new NativeId("far.pvc-1")));
    }

    @Test
    void the_same_name_for_another_parent_is_the_volume_that_is_there_and_a_conflict() {
        StoredVolume there = several.make("pvc-1", FAST);
        for (Map<String, String> parameters : List.of(USUAL, FAR)) {
            CreateRequest other = SeveralParentsFixture.request(TestVolumes.empty("pvc-1"), parameters);

            Creation again = several.create(TestVolumes.empty("pvc-1"), parameters);

            assertThat(again).isEqualTo(new Creation(there, false));
            assertThat(store.existing(several.birth(other), TestWork.patient())).contains(there);
            assertThat(Compatibility.difference(again.volume(), other, VolumeMedium.Kind.FILESYSTEM))
                    .get()
                    .asString()
                    .contains("StorageClass parameters");
        }
        assertThat(several.listed()).containsExactly("fast.pvc-1");
    }

    @Test
    void the_same_name_for_the_same_parent_is_the_same_volume() {
        StoredVolume there = several.make("pvc-1", FAST);

        assertThat(several.create(TestVolumes.empty("pvc-1"), FAST)).isEqualTo(new Creation(there, false));
    }

    /** It has no digest by which it could be told. */
    @Test
    void a_volume_of_democratic_csis_below_the_usual_parent_is_a_conflict_too() {
        fixture.pool()
                .put(
                        "tank/v/pvc-1",
                        "filesystem",
                        Map.of(
                                PeerProperties.MANAGED,
                                "true",
                                PeerProperties.SUCCESS,
                                "true",
                                PeerProperties.VOLUME_NAME,
                                "pvc-1",
                                "refquota",
                                Long.toString(TestVolumes.SIZE.bytes())));

        Creation found = several.create(TestVolumes.empty("pvc-1"), FAST);

        assertThat(found.fresh()).isFalse();
        assertThat(found.volume().id()).hasToString("pvc-1");
        assertThat(Compatibility.difference(
                        found.volume(),
                        SeveralParentsFixture.request(TestVolumes.empty("pvc-1"), FAST),
                        VolumeMedium.Kind.FILESYSTEM))
                .isPresent();
        assertThat(several.create(TestVolumes.empty("pvc-1"), USUAL).volume().notes())
                .doesNotContainKey(Notes.DIGEST);
        assertThat(fixture.pool().names()).doesNotContain("tank/fast/pvc-1");
    }

    @Test
    void what_another_call_has_begun_below_another_parent_is_a_conflict() {
        CreateRequest wanted = TestVolumes.empty("pvc-1");
        var begun = several.birth(SeveralParentsFixture.request(wanted, FAST))
                .noting(Map.of(Notes.DIGEST, ShapeDigest.of(wanted).value())); // as after labels were exchanged
        store.create(begun, TestWork.patient());
        fixture.pool().play(List.of("zfs", "set", OwnProperties.STATE + "=" + OwnProperties.MAKING, "tank/fast/pvc-1"));

        Creation found = several.create(wanted, USUAL);

        assertThat(found.fresh()).isFalse();
        assertThat(Compatibility.difference(found.volume(), wanted, VolumeMedium.Kind.FILESYSTEM))
                .isPresent();

        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-1");
    }

    @Test
    void what_is_not_ours_below_another_parent_is_in_nobodys_way() {
        fixture.pool().put("tank/v/pvc-1", "filesystem", Map.of());

        assertThat(several.create(TestVolumes.empty("pvc-1"), FAST).fresh()).isTrue();
    }

    @Test
    void looking_below_the_other_parents_is_one_round_trip_and_none_where_there_are_no_others() {
        several.make("pvc-0", FAST);
        int before = fixture.pool().roundTrips();

        several.make("pvc-1", FAST);

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(2);
    }

    @Test
    void the_room_is_that_of_the_parent() {
        store.room(FAR, TestWork.patient());
        store.room(FAST, TestWork.patient());
        store.room(USUAL, TestWork.patient());

        assertThat(fixture.pool().history().stream().map(List::getLast))
                .containsExactly("ssd/v", "ssd", "tank/fast", "tank", "tank/v");
    }

    /** A volume below it may well be there: what is told to be gone is never looked for again. */
    @Test
    void without_its_label_a_volume_is_neither_missing_nor_deleted() {
        several.make("pvc-1", FAST);
        NativeId id = new NativeId("slow.pvc-1");

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> store.find(id, TestWork.patient()),
                () -> store.delete(id, OnDependents.REFUSE, TestWork.patient()),
                () -> snapshots.find(new NativeId("slow.pvc-1@s"), TestWork.patient()),
                () -> snapshots.delete(new NativeId("slow.pvc-1@s"), TestWork.patient()))) {
            assertThatThrownBy(call).hasMessageContainingAll("'slow'", "fairlead.parents", "put it back");
        }
    }
}
