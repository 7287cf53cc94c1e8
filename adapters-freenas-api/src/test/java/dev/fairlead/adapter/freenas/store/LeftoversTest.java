package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What others, and calls that were cut, leave on a box. */
class LeftoversTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final String DETACHED = "tank/k8s/s";
    private static final NativeId ID = new NativeId("pvc-a");

    @TempDir
    private Path folder = Path.of("/nowhere");

    private SimulatedBox box(Profile profile) {
        return new SimulatedBox(profile, folder);
    }

    private static VolumeStore store(SimulatedBox box, Map<String, Object> own) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of(), own, new LateCalls(InstantSource.system()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static void delete(VolumeStore store, String id, OnDependents policy) {
        store.delete(new NativeId(id), policy, TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10", "V26"})
    void periodic_snapshots_go_with_their_volume_if_that_is_said(Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of("foreignSnapshots", "destroy"));
            make(store, TestVolumes.empty("pvc-a"));
            String space = profile == Profile.V25_04 ? "zfs.snapshot" : "pool.snapshot";
            box.call(space + ".create", Map.of("dataset", PARENT + "/pvc-a", "name", "auto-2026-08-01_00-00"));

            delete(store, "pvc-a", OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_snapshot_that_csi_took_bars_its_volume_all_the_same(Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of("foreignSnapshots", "destroy"));
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());

            Failing.with(Failure.InUse.class, () -> delete(store, "pvc-a", OnDependents.REFUSE));

            assertThat(box.left()).contains(PARENT + "/pvc-a@snap-1");
        }
    }

    /** A box leaves out without a word what it fails to read, for whatever reason. */
    @ParameterizedTest
    @CsvSource({"SCALE_24_10, 1", "V25_04, 99", "V25_10, 1", "V25_10, 99", "V26, 1", "V26, 99"})
    void a_snapshot_that_is_named_and_not_told_is_not_taken_for_a_foreign_one(Profile profile, int times) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of("foreignSnapshots", "destroy"));
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
            String space = profile.since(Profile.V25_10_0) ? "pool" : "zfs";
            boolean apart = profile.since(Profile.V26_BETA);
            box.fault(
                    Fault.at(apart ? "zfs.resource.snapshot.query" : space + ".snapshot.query", new Fault.Result("[]"))
                            .having((apart ? "" : "\"=\",") + "\"" + PARENT + "/pvc-a@snap-1\"")
                            .times(times));

            Class<? extends Failure> expected = times == 1 ? Failure.InUse.class : Failure.BackendUnavailable.class;
            Failing.with(expected, () -> delete(store, "pvc-a", OnDependents.REFUSE));

            assertThat(box.left()).contains(PARENT + "/pvc-a@snap-1");
        }
    }

    @Test
    void a_second_parent_whose_pool_is_away_is_not_listed_as_empty() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of("parents", Map.of("other", "dozer/k8s")));
            make(store, TestVolumes.empty("pvc-a"));

            Failing.with(Failure.BackendUnavailable.class, () -> store.list(PageRequest.all(), TestWork.patient()));
            var role = store.snapshots().orElseThrow();
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> role.list(Optional.empty(), PageRequest.all(), TestWork.patient()));
        }
    }

    @Test
    void a_second_parent_that_was_never_made_is_listed_as_empty() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of("parents", Map.of("other", "tank/other")));
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .hasSize(1);
        }
    }

    @Test
    void growths_leave_no_notes() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.sized("pvc-a", Capacity.ofBytes(1L << 30)));
            for (int size = 2; size < 6; size++) {
                store.expand(ID, TestVolumes.atLeast(Capacity.ofBytes((long) size << 30)), TestWork.patient());
            }

            String user = row(box, "pvc-a").getAsJsonObject("user").toString();
            assertThat(user).contains(Long.toString(5L << 30)).doesNotContain("dev.fairlead:call.");
        }
    }

    private static JsonObject row(SimulatedBox box, String leaf) {
        return box.rows("dataset").stream()
                .filter(each -> each.get("name").getAsString().endsWith("/" + leaf))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_volume_that_was_put_aside_without_its_mark_goes_with_a_later_deletion_of_any_volume() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            make(store, TestVolumes.fromVolume("pvc-clone", source.id()));
            delete(store, "pvc-a", OnDependents.DEFER);
            String hidden = box.left().stream()
                    .filter(name -> name.contains("fairlead:deleted:") && !name.contains("@"))
                    .findFirst()
                    .orElseThrow();
            box.tamper("dataset", hidden, row -> {
                row.add("user", new JsonObject());
                return row;
            });
            box.fault(Fault.at("pool.dataset.delete", new Fault.Refusal(14, "not now"))
                    .having(hidden));
            boolean _ = Failing.works(() -> delete(store, "pvc-clone", OnDependents.REFUSE));
            assertThat(box.left()).contains(hidden);

            VolumeStore later = store(box, Map.of());
            make(later, TestVolumes.empty("pvc-b"));
            delete(later, "pvc-b", OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void what_a_creation_left_a_day_ago_that_nobody_repeated_goes_with_a_later_deletion() {
        try (SimulatedBox box = box(Profile.V26_BETA)) {
            box.putDataset(PARENT + "/fairlead:making:pvc-old", "FILESYSTEM", new JsonObject());
            VolumeStore store = store(box, Map.of());
            box.fault(Fault.at("pool.dataset.rename", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-new")));
            make(store, TestVolumes.empty("pvc-a"));

            delete(store, "pvc-a", OnDependents.REFUSE);

            assertThat(box.left()).containsExactly(PARENT + "/fairlead:making:pvc-new");
        }
    }

    private static VolumeStore at(SimulatedBox box, InstantSource clock) {
        return FreenasFixture.store(
                box.client(), VolumeMedium.Kind.FILESYSTEM, Map.of(), Map.of(), new LateCalls(clock), clock);
    }

    @ParameterizedTest
    @EnumSource(names = {"V26_BETA", "V26"})
    void a_clone_that_nobody_finished_bars_its_source_only_as_long_as_a_call_may_be_at_work(Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.rename", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.fromVolume("pvc-b", source.id())));
            assertThat(at(box, () -> Instant.now().plusSeconds(60))
                            .deletionCheck(ID, OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .isNotEmpty();

            var now = new AtomicReference<>(Instant.now().plus(Duration.ofMinutes(4)));
            VolumeStore later = at(box, now::get);
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> later.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient()));
            now.set(now.get().plus(Duration.ofMinutes(4))); // since it has seen the note of the clone's naming
            assertThat(later.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .isEmpty();
            delete(later, "pvc-a", OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_detached_snapshot_that_democratic_csi_made_is_restored_from_and_deleted() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = storeWithDetached(box);
            var marks = new JsonObject();
            marks.addProperty("democratic-csi:managed_resource", "true");
            marks.addProperty("democratic-csi:csi_snapshot_name", "snap-1");
            box.putDataset(DETACHED, "FILESYSTEM", new JsonObject());
            box.putDataset(DETACHED + "/pvc-a", "FILESYSTEM", new JsonObject());
            box.putDataset(DETACHED + "/pvc-a/snap-1", "FILESYSTEM", marks);
            box.write(DETACHED + "/pvc-a/snap-1", "data", "old");
            var id = new NativeId("pvc-a/snap-1");
            var role = store.snapshots().orElseThrow();

            assertThat(role.find(id, TestWork.patient())).isPresent();
            make(store, TestVolumes.fromSnapshot("pvc-b", id));

            assertThat(box.read(PARENT + "/pvc-b", "data")).contains("old");
            delete(store, "pvc-b", OnDependents.REFUSE);
            role.delete(id, TestWork.patient());
            assertThat(box.left()).containsExactly(DETACHED, DETACHED + "/pvc-a");
        }
    }

    @Test
    void a_detached_snapshot_that_is_not_there_is_gone_only_if_its_pool_is_there() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = storeWithDetached(box);
            var id = new NativeId("pvc-a/snap-1");
            var role = store.snapshots().orElseThrow();

            role.delete(id, TestWork.patient());
            assertThat(role.find(id, TestWork.patient())).isEmpty();
            Failing.with(Failure.SnapshotNotFound.class, () -> make(store, TestVolumes.fromSnapshot("pvc-b", id)));
            box.tamper("pool", "1", _ -> new JsonObject());

            Failing.with(Failure.BackendUnavailable.class, () -> role.delete(id, TestWork.patient()));
        }
    }

    @Test
    void a_box_that_cannot_put_a_volume_aside_says_which_clones_it_has_before_anything_is_touched() {
        try (SimulatedBox box = box(Profile.SCALE_24_10)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            make(store, TestVolumes.fromVolume("pvc-clone", source.id()));

            var check = store.deletionCheck(ID, OnDependents.DEFER, TestWork.patient());

            assertThat(check.obstacles())
                    .extracting(VolumeStore.Dependent::what)
                    .contains("the clone " + PARENT + "/pvc-clone");
            Failing.with(Failure.InUse.class, () -> delete(store, "pvc-a", OnDependents.DEFER));
        }
    }

    private static VolumeStore storeWithDetached(SimulatedBox box) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", DETACHED));
    }
}
