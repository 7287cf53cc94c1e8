package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when a box is cut off, lies, or is worked on by others. */
class FreenasFaultsTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final NativeId ID = new NativeId("pvc-a");
    private static final Capacity GIB = Capacity.ofBytes(1L << 30);

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    private SimulatedBox box(Profile profile) {
        return new SimulatedBox(profile, folder);
    }

    private static VolumeStore store(SimulatedBox box, Map<String, Object> zfs) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs);
    }

    private static VolumeStore store(SimulatedBox box, Map<String, Object> zfs, AtomicReference<Instant> clock) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs, Map.of(), new LateCalls(clock::get));
    }

    private static Birth birth(VolumeStore store, CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(birth(store, request), TestWork.patient()).volume();
    }

    private static void delete(VolumeStore store, NativeId id) {
        store.delete(id, OnDependents.REFUSE, TestWork.patient());
    }

    @Test
    void a_creation_that_comes_late_keeps_a_deletion_waiting_until_it_can_come_no_more() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of(), now);
            box.fault(Fault.at("pool.dataset.create", new Fault.Late(Duration.ZERO)));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-a")));

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store, ID));
            box.awaitLate();
            assertThat(box.left()).contains(PARENT + "/pvc-a");
            Failing.with(Failure.BackendUnavailable.class, () -> delete(store, ID));
            now.set(now.get().plus(Duration.ofHours(1)));
            delete(store, ID);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_creation_whose_answer_was_lost_is_found_by_the_repetition() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-a")));

            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            delete(store, made.id());

            assertThat(box.left()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V26_BETA", "V26"})
    void what_a_cut_has_left_under_its_own_name_goes_with_a_deletion_whatever_snapshots_were_taken_of_it(
            Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of(), now);
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            box.fault(Fault.at("pool.dataset.rename", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.fromVolume("pvc-a", source.id())));
            now.set(now.get().plus(Duration.ofHours(1)));
            String staged = PARENT + "/fairlead:making:pvc-a";
            assertThat(box.left()).contains(staged);
            box.call("pool.snapshot.create", Map.of("dataset", staged, "name", "auto-2026"));

            StoredVolume made = make(store, TestVolumes.fromVolume("pvc-a", source.id()));
            delete(store, made.id());
            delete(store, source.id());

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_leftover_that_somebody_cloned_bars_its_name_for_nobody() {
        try (SimulatedBox box = box(Profile.V26_BETA)) {
            VolumeStore store = store(box, Map.of(), now);
            box.fault(Fault.at("pool.dataset.rename", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-a")));
            now.set(now.get().plus(Duration.ofHours(1)));
            String staged = PARENT + "/fairlead:making:pvc-a";
            box.call("pool.snapshot.create", Map.of("dataset", staged, "name", "auto"));
            box.call("pool.snapshot.clone", Map.of("snapshot", staged + "@auto", "dataset_dst", PARENT + "/theirs"));

            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            delete(store, made.id());

            assertThat(box.left()).contains(PARENT + "/theirs").doesNotContain(PARENT + "/pvc-a", staged);
        }
    }

    @Test
    void a_deletion_that_a_box_only_claims_is_not_believed() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", new Fault.Lie()));

            Failing.with(Failure.Unintelligible.class, () -> delete(store, ID));
            delete(store, ID);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_clone_is_made_of_what_its_source_holds_now_and_not_of_an_older_attempts_snapshot() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            box.write(PARENT + "/pvc-source", "data", "old");
            box.fault(Fault.at("pool.snapshot.clone", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.fromVolume("pvc-a", source.id())));
            box.write(PARENT + "/pvc-source", "data", "new");

            make(store, TestVolumes.fromVolume("pvc-a", source.id()));

            assertThat(box.read(PARENT + "/pvc-a", "data")).contains("new");
        }
    }

    @Test
    void a_growth_that_was_planned_from_an_older_size_lowers_nothing() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore one = store(box, Map.of("datasetEnableQuotas", true));
            make(one, TestVolumes.sized("pvc-a", GIB));
            Capacity two = Capacity.ofBytes(2L << 30);
            Capacity three = Capacity.ofBytes(3L << 30);
            // The second controller grows it between the look and the change of the first.
            var racing = FreenasFixture.store(
                    box.interrupted(
                            "pool.dataset.update",
                            () -> one.expand(ID, TestVolumes.atLeast(three), TestWork.patient())),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of("datasetEnableQuotas", true));

            StoredVolume grown = racing.expand(ID, TestVolumes.atLeast(two), TestWork.patient());

            assertThat(grown.capacity()).contains(three);
            assertThat(one.find(ID, TestWork.patient()).orElseThrow().capacity())
                    .contains(three);
        }
    }

    @Test
    void a_quota_that_reads_back_otherwise_is_no_growth() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of("datasetEnableQuotas", true));
            make(store, TestVolumes.sized("pvc-a", GIB));
            box.fault(Fault.at("pool.dataset.update", new Fault.Lie()).having("refquota"));

            Failing.with(
                    Failure.Unintelligible.class,
                    () -> store.expand(ID, TestVolumes.atLeast(Capacity.ofBytes(2L << 30)), TestWork.patient()));
        }
    }

    @Test
    void a_snapshot_with_a_hold_is_in_use_and_stays() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            var role = store.snapshots().orElseThrow();
            var taken = role.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
            box.call("pool.snapshot.hold", PARENT + "/pvc-a@snap-1");

            Failing.with(Failure.InUse.class, () -> role.delete(taken.id(), TestWork.patient()));

            assertThat(role.find(taken.id(), TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_volume_with_foreign_snapshots_and_clones_is_refused_before_anything_is_touched() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.call("pool.snapshot.create", Map.of("dataset", PARENT + "/pvc-a", "name", "auto"));
            box.call(
                    "pool.snapshot.clone",
                    Map.of("snapshot", PARENT + "/pvc-a@auto", "dataset_dst", PARENT + "/theirs"));
            box.forgetCalls();

            var check = store.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient());
            Failing.with(Failure.InUse.class, () -> delete(store, ID));

            assertThat(check.obstacles()).hasSize(2);
            assertThat(box.calls()).doesNotContain("pool.dataset.delete", "pool.snapshot.delete");
        }
    }

    @Test
    void nothing_is_touched_that_has_not_our_mark() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            box.call("pool.dataset.create", Map.of("name", PARENT + "/pvc-a"));

            Failing.with(Failure.NotOurs.class, () -> delete(store, ID));
            Failing.with(Failure.NotOurs.class, () -> make(store, TestVolumes.empty("pvc-a")));

            assertThat(store.list(dev.fairlead.domain.page.PageRequest.all(), TestWork.patient())
                            .items())
                    .isEmpty();
            assertThat(box.left()).containsExactly(PARENT + "/pvc-a");
        }
    }

    @Test
    void a_pool_that_is_away_has_not_deleted_its_volumes() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            for (String name : List.of("tank", "tank/k8s", PARENT)) {
                box.tamper("dataset", name, _ -> new JsonObject());
            }

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store, ID));
            Failing.with(Failure.BackendUnavailable.class, () -> store.find(ID, TestWork.patient()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_volume_is_made_by_one_call_and_deleted_by_few(Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of("datasetEnableQuotas", true));

            make(store, TestVolumes.empty("pvc-a"));
            assertThat(box.calls()).containsExactly("pool.dataset.create");
            box.forgetCalls();
            store.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient());
            delete(store, ID);

            // One query looks below the parent for what is nobody's, once in an hour. From 25.10 on one asks for the
            // names of the dataset's snapshots, and one looks at the parent itself, once in a process.
            int looks = profile.since(Profile.V25_10_0) ? 5 : 3;
            List<String> calls = box.calls().stream()
                    .filter(call -> !call.endsWith(".query"))
                    .toList();
            assertThat(calls).containsExactly("pool.dataset.update", "pool.dataset.delete");
            assertThat(box.calls()).hasSize(calls.size() + looks);
        }
    }

    @Test
    void permissions_are_believed_once_their_job_is_done() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of("datasetPermissionsMode", "0777", "datasetPermissionsUser", "1000"));
            box.fault(Fault.at("filesystem.setperm", new Fault.JobFails("[EFAULT] no such user", false)));
            Failing.with(Failure.BackendRejected.class, () -> make(store, TestVolumes.empty("pvc-a")));
            assertThat(store.find(ID, TestWork.patient())).isEmpty();

            make(store, TestVolumes.empty("pvc-a"));

            assertThat(store.find(ID, TestWork.patient())).isPresent();
        }
    }

    @Test
    void long_notes_are_spread_and_come_back() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            store.note(made.id(), Map.of("grants", "g".repeat(5000), "long", "x".repeat(3000)), TestWork.patient());

            assertThat(store.find(made.id(), TestWork.patient()).orElseThrow().notes())
                    .containsEntry("grants", "g".repeat(5000))
                    .containsEntry("long", "x".repeat(3000));
        }
    }
}
