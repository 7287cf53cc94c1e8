package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.adapter.zfs.property.OwnProperties;
import dev.fairlead.adapter.zfs.property.PeerProperties;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Volumes below the parent that their class names, beside those below the usual one. */
class ParentOfClassTest {
    private static final Map<String, String> USUAL = Map.of();
    private static final Map<String, String> FAST = Map.of("parent", "fast");
    private static final Map<String, String> FAR = Map.of("parent", "far");

    private final ZfsBench bench = new ZfsBench(
            VolumeMedium.Kind.FILESYSTEM,
            Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"),
            Map.of("fast", "tank/fast", "far", "ssd/v"),
            "tank",
            "tank/v",
            "tank/s",
            "ssd");
    private final VolumeStore store = bench.open();
    private final SnapshotStore snapshots = store.snapshots().orElseThrow();

    private static CreateRequest request(CreateRequest plain, Map<String, String> parameters) {
        return ClassedStore.with(plain, parameters);
    }

    private VolumeStore.Birth birth(CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()))
                .noting(Map.of(Notes.DIGEST, ShapeDigest.of(request).value()));
    }

    private Creation create(CreateRequest plain, Map<String, String> parameters) {
        return store.create(birth(request(plain, parameters)), TestWork.patient());
    }

    private StoredVolume make(String name, Map<String, String> parameters) {
        return create(TestVolumes.empty(name), parameters).volume();
    }

    private List<String> listed() {
        return store.list(PageRequest.all(), TestWork.patient()).items().stream()
                .map(volume -> volume.id().value())
                .toList();
    }

    private StoredSnapshot take(StoredVolume source, String name, Map<String, String> parameters) {
        return snapshots.take(new SnapshotRequest(new CsiName(name), source.id(), parameters), 100, TestWork.patient());
    }

    private long commands(String verb) {
        return bench.pool().history().stream()
                .filter(words -> words.size() > 1 && words.get(1).equals(verb))
                .count();
    }

    @Test
    void a_volume_lies_where_its_class_says_and_its_id_says_so_too() {
        StoredVolume usual = make("pvc-1", USUAL);
        StoredVolume fast = make("pvc-2", FAST);
        StoredVolume far = make("pvc-3", FAR);

        assertThat(List.of(usual, fast, far))
                .extracting(
                        volume -> volume.id().value(), volume -> volume.medium().path())
                .containsExactly(
                        tuple("pvc-1", "/tank/v/pvc-1"),
                        tuple("fast.pvc-2", "/tank/fast/pvc-2"),
                        tuple("far.pvc-3", "/ssd/v/pvc-3"));
        assertThat(bench.pool().own("ssd/v/pvc-3"))
                .containsEntry(PeerProperties.VOLUME_NAME, "pvc-3")
                .containsEntry(PeerProperties.MANAGED, "true");
        for (StoredVolume volume : List.of(usual, fast, far)) {
            assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
        }
    }

    @Test
    void a_label_that_is_not_allowed_is_refused_before_anything_is_asked_of_the_storage() {
        assertThatThrownBy(() -> make("pvc-1", Map.of("parent", "tank/other")))
                .hasMessageContainingAll("parent: 'tank/other'", "one of [far, fast]", "fairlead.parents");
        Failing.with(Failure.InvalidRequest.class, () -> make("pvc-1", Map.of("parent", "Fast")));
        Failing.with(Failure.InvalidRequest.class, () -> store.room(Map.of("parent", "slow"), TestWork.patient()));

        assertThat(bench.pool().roundTrips()).isZero();
    }

    @Test
    void a_connection_of_one_parent_says_that_it_has_no_others() {
        var alone = new ZfsBench(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        try (VolumeStore one = alone.open()) {
            assertThatThrownBy(() -> one.plan(request(TestVolumes.empty("pvc-1"), FAST), new NativeId("pvc-1")))
                    .hasMessageContainingAll("parent: 'fast'", "no fairlead.parents");
        }
    }

    @Test
    void an_empty_parameter_is_none() {
        assertThat(make("pvc-1", Map.of("parent", "")).id()).hasToString("pvc-1");
    }

    @Test
    void a_suggested_id_never_passes_for_a_label() {
        Failing.with(
                Failure.InvalidRequest.class, () -> store.plan(TestVolumes.empty("pvc-1"), new NativeId("fast.pvc-1")));
        Failing.with(
                Failure.InvalidRequest.class,
                () -> store.plan(request(TestVolumes.empty("pvc-1"), FAST), new NativeId("far.pvc-1")));
    }

    @Test
    void the_same_name_for_another_parent_is_the_volume_that_is_there_and_a_conflict() {
        StoredVolume there = make("pvc-1", FAST);
        for (Map<String, String> parameters : List.of(USUAL, FAR)) {
            CreateRequest other = request(TestVolumes.empty("pvc-1"), parameters);

            Creation again = create(TestVolumes.empty("pvc-1"), parameters);

            assertThat(again).isEqualTo(new Creation(there, false));
            assertThat(store.existing(birth(other), TestWork.patient())).contains(there);
            assertThat(Compatibility.difference(again.volume(), other, VolumeMedium.Kind.FILESYSTEM))
                    .get()
                    .asString()
                    .contains("StorageClass parameters");
        }
        assertThat(listed()).containsExactly("fast.pvc-1");
    }

    @Test
    void the_same_name_for_the_same_parent_is_the_same_volume() {
        StoredVolume there = make("pvc-1", FAST);

        assertThat(create(TestVolumes.empty("pvc-1"), FAST)).isEqualTo(new Creation(there, false));
    }

    /** It has no digest by which it could be told. */
    @Test
    void a_volume_of_democratic_csis_below_the_usual_parent_is_a_conflict_too() {
        bench.pool()
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

        Creation found = create(TestVolumes.empty("pvc-1"), FAST);

        assertThat(found.fresh()).isFalse();
        assertThat(found.volume().id()).hasToString("pvc-1");
        assertThat(Compatibility.difference(
                        found.volume(), request(TestVolumes.empty("pvc-1"), FAST), VolumeMedium.Kind.FILESYSTEM))
                .isPresent();
        assertThat(create(TestVolumes.empty("pvc-1"), USUAL).volume().notes()).doesNotContainKey(Notes.DIGEST);
        assertThat(bench.pool().names()).doesNotContain("tank/fast/pvc-1");
    }

    @Test
    void what_another_call_has_begun_below_another_parent_is_a_conflict() {
        CreateRequest wanted = TestVolumes.empty("pvc-1");
        var begun = birth(request(wanted, FAST))
                .noting(Map.of(Notes.DIGEST, ShapeDigest.of(wanted).value())); // as after labels were exchanged
        store.create(begun, TestWork.patient());
        bench.pool().play(List.of("zfs", "set", OwnProperties.STATE + "=" + OwnProperties.MAKING, "tank/fast/pvc-1"));

        Creation found = create(wanted, USUAL);

        assertThat(found.fresh()).isFalse();
        assertThat(Compatibility.difference(found.volume(), wanted, VolumeMedium.Kind.FILESYSTEM))
                .isPresent();

        assertThat(bench.pool().names()).doesNotContain("tank/v/pvc-1");
    }

    @Test
    void what_is_not_ours_below_another_parent_is_in_nobodys_way() {
        bench.pool().put("tank/v/pvc-1", "filesystem", Map.of());

        assertThat(create(TestVolumes.empty("pvc-1"), FAST).fresh()).isTrue();
    }

    @Test
    void looking_below_the_other_parents_is_one_round_trip_and_none_where_there_are_no_others() {
        make("pvc-0", FAST);
        int before = bench.pool().roundTrips();

        make("pvc-1", FAST);

        assertThat(bench.pool().roundTrips() - before).isEqualTo(2);
    }

    @Test
    void a_missing_parent_is_made_with_its_first_volume_and_hides_no_other() {
        StoredVolume usual = make("pvc-1", USUAL);
        take(usual, "snap-1", Map.of());
        assertThat(bench.pool().names()).doesNotContain("tank/fast", "ssd/v");
        assertThat(listed()).containsExactly("pvc-1");
        assertThat(snapshots
                        .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                        .items())
                .hasSize(1);

        make("pvc-2", FAR);

        assertThat(bench.pool().names()).contains("ssd/v/pvc-2").doesNotContain("tank/fast");
        assertThat(listed()).containsExactly("far.pvc-2", "pvc-1");
    }

    /** Callers clean up after what a list lacks. */
    @Test
    void nothing_is_listed_as_if_it_were_all_while_a_pool_is_not_imported() {
        make("pvc-1", USUAL);
        bench.pool().remove("ssd");

        Failing.with(Failure.BackendUnavailable.class, this::listed);
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> snapshots.list(Optional.empty(), PageRequest.all(), TestWork.patient()));
        assertThat(create(TestVolumes.empty("pvc-2"), FAST).fresh())
                .as("no pool keeps another from working")
                .isTrue();
    }

    @Test
    void volumes_of_all_parents_are_one_list_in_the_order_of_their_ids_by_one_command() {
        for (int i = 0; i < 4; i++) {
            make("pvc-" + i, List.of(USUAL, FAST, FAR).get(i % 3));
        }
        int before = bench.pool().roundTrips();

        var first = store.list(PageRequest.first(3), TestWork.patient());

        assertThat(bench.pool().roundTrips() - before).isEqualTo(1);
        assertThat(first.more()).isTrue();
        assertThat(listed()).containsExactly("far.pvc-2", "fast.pvc-1", "pvc-0", "pvc-3");
        assertThat(store.list(new PageRequest(Optional.of("fast.pvc-1"), 9), TestWork.patient())
                        .items())
                .extracting(volume -> volume.id().value())
                .containsExactly("pvc-0", "pvc-3");
    }

    @Test
    void snapshots_of_volumes_below_any_parent_are_found_listed_and_deleted() {
        make("pvc-1", FAST);
        make("pvc-2", FAR);
        StoredVolume volume = make("pvc-3", FAST);
        StoredSnapshot plain = take(volume, "snap-1", Map.of());
        StoredSnapshot copy = take(volume, "snap-2", Map.of("detachedSnapshots", "true"));

        assertThat(List.of(plain, copy))
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast.pvc-3@snap-1", "fast.pvc-3/snap-2");
        assertThat(bench.pool().names()).contains("tank/fast/pvc-3@snap-1", "tank/s/fast.pvc-3/snap-2");
        for (StoredSnapshot snapshot : List.of(plain, copy)) {
            assertThat(snapshot.source()).isEqualTo(volume.id());
            assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
            assertThat(snapshots
                            .list(Optional.of(volume.id()), PageRequest.all(), TestWork.patient())
                            .items())
                    .contains(snapshot);
            snapshots.delete(snapshot.id(), TestWork.patient());
        }
        assertThat(bench.pool().names())
                .doesNotContain("tank/fast/pvc-3@snap-1", "tank/s/fast.pvc-3/snap-2", "tank/s/fast.pvc-3");
    }

    @Test
    void within_a_pool_content_is_cloned_from_parent_to_parent_and_between_pools_it_is_copied() {
        make("pvc-0", FAR);
        StoredVolume source = make("pvc-1", USUAL);
        bench.pool().files("tank/v/pvc-1").put("data", "precious");
        StoredSnapshot snapshot = take(source, "snap-1", Map.of());

        create(TestVolumes.fromVolume("pvc-2", source.id()), FAST);
        create(TestVolumes.fromSnapshot("pvc-3", snapshot.id()), FAST);
        assertThat(commands("send")).isZero();
        create(TestVolumes.fromVolume("pvc-4", source.id()), FAR);
        create(TestVolumes.fromSnapshot("pvc-5", snapshot.id()), FAR);
        create(TestVolumes.fromVolume("pvc-6", new NativeId("far.pvc-5")), USUAL);

        assertThat(commands("send")).isEqualTo(3);
        for (String dataset :
                List.of("tank/fast/pvc-2", "tank/fast/pvc-3", "ssd/v/pvc-4", "ssd/v/pvc-5", "tank/v/pvc-6")) {
            assertThat(bench.pool().files(dataset)).containsEntry("data", "precious");
        }
        assertThat(bench.pool().names())
                .contains("tank/v/pvc-1@volume-source-for-volume-fast.pvc-2")
                .noneMatch(name -> name.contains("volume-source-for-volume-far"));
        assertThat(store.find(new NativeId("fast.pvc-2"), TestWork.patient()))
                .get()
                .extracting(StoredVolume::content)
                .isEqualTo(new Content.OfVolume(source.id()));
    }

    /** {@code zfs receive} has other words for it than {@code zfs create}. */
    @Test
    void a_missing_parent_is_made_for_a_copy_too_and_is_not_taken_for_a_missing_source() {
        StoredVolume source = make("pvc-1", USUAL);
        bench.pool().files("tank/v/pvc-1").put("data", "precious");

        create(TestVolumes.fromVolume("pvc-2", source.id()), FAR);

        assertThat(bench.pool().files("ssd/v/pvc-2")).containsEntry("data", "precious");
        Failing.with(
                Failure.VolumeNotFound.class,
                () -> create(TestVolumes.fromVolume("pvc-3", new NativeId("pvc-absent")), FAR));
    }

    @Test
    void a_group_may_be_of_several_parents_of_one_pool_and_not_of_two_pools() {
        StoredVolume usual = make("pvc-1", USUAL);
        StoredVolume fast = make("pvc-2", FAST);
        StoredVolume far = make("pvc-3", FAR);
        var groups = snapshots.groups().orElseThrow();

        var group = groups.take(
                new GroupRequest(new CsiName("g"), List.of(usual.id(), fast.id()), Map.of()), 100, TestWork.patient());
        assertThatThrownBy(() -> groups.take(
                        new GroupRequest(new CsiName("h"), List.of(usual.id(), far.id()), Map.of()),
                        100,
                        TestWork.patient()))
                .hasMessageContainingAll("[ssd, tank]", "no instant in common");

        assertThat(group.snapshots())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast.pvc-2@g", "pvc-1@g");
        assertThat(bench.pool().own("tank/fast/pvc-2@g")).containsEntry(PeerProperties.SNAPSHOT_SOURCE, "fast.pvc-2");
        assertThat(commands("snapshot")).isEqualTo(1);
        groups.delete(group.id(), TestWork.patient());
        assertThat(bench.pool().names()).noneMatch(name -> name.contains("@"));
    }

    @Test
    void the_room_is_that_of_the_parent() {
        store.room(FAR, TestWork.patient());
        store.room(FAST, TestWork.patient());
        store.room(USUAL, TestWork.patient());

        assertThat(bench.pool().history().stream().map(List::getLast))
                .containsExactly("ssd/v", "ssd", "tank/fast", "tank", "tank/v");
    }

    @Test
    void a_volume_that_was_put_aside_goes_with_its_last_clone_below_whatever_parent_that_was() {
        StoredVolume source = make("pvc-1", FAST);
        StoredVolume clone =
                create(TestVolumes.fromVolume("pvc-2", source.id()), USUAL).volume();

        store.delete(source.id(), OnDependents.DEFER, TestWork.patient());
        assertThat(listed()).containsExactly("pvc-2");
        assertThat(bench.pool().names()).anyMatch(name -> name.startsWith("tank/fast/fairlead:deleted:"));
        bench.pool().play(List.of("zfs", "destroy", "tank/v/pvc-2")); // a call that was cut before it went on
        store.delete(clone.id(), OnDependents.DEFER, TestWork.patient());

        assertThat(bench.pool().names()).noneMatch(name -> name.contains("pvc-"));
    }

    @Test
    void clones_below_another_parent_keep_their_source() {
        StoredVolume source = make("pvc-1", USUAL);
        create(TestVolumes.fromVolume("pvc-2", source.id()), FAST);

        assertThat(store.dependents(source.id(), TestWork.patient()))
                .extracting(VolumeStore.Dependent::what)
                .containsExactly("the clone tank/fast/pvc-2");
        Failing.with(Failure.InUse.class, () -> store.delete(source.id(), OnDependents.REFUSE, TestWork.patient()));
    }

    /** A volume below it may well be there: what is told to be gone is never looked for again. */
    @Test
    void without_its_label_a_volume_is_neither_missing_nor_deleted() {
        make("pvc-1", FAST);
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
