package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What else is below the parent of a group, what slips in, and what a cut leaves. */
class GroupFaultsTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final GroupRequest OF_TWO = request("pvc-a", "pvc-b");

    @TempDir
    private Path folder = Path.of("/nowhere");

    static GroupRequest request(String... volumes) {
        return new GroupRequest(
                new CsiName("group-1"), Stream.of(volumes).map(NativeId::new).toList(), Map.of());
    }

    static void make(VolumeStore store, String... names) {
        for (String name : names) {
            store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
        }
    }

    static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
    }

    static SnapshotGroups groups(VolumeStore store) {
        return store.snapshots().orElseThrow().groups().orElseThrow();
    }

    static StoredGroup take(VolumeStore store) {
        return take(store, OF_TWO);
    }

    private static StoredGroup take(VolumeStore store, GroupRequest request) {
        return groups(store).take(request, 100, TestWork.patient());
    }

    static List<String> snapshots(SimulatedBox box) {
        return box.left().stream()
                .filter(name -> name.contains("@"))
                .map(name -> name.substring(PARENT.length(), name.indexOf('@')))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10", "V26_BETA", "V26", "V27"})
    void nothing_else_below_the_parent_keeps_a_snapshot(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b", "pvc-c");
            box.putDataset(PARENT + "/somebody's own", "FILESYSTEM", new com.google.gson.JsonObject());
            box.putDataset(PARENT + "/pvc-a/deeper", "FILESYSTEM", new com.google.gson.JsonObject());

            assertThat(take(store).isWhole()).isTrue();

            assertThat(snapshots(box)).containsExactly("/pvc-a", "/pvc-b");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_volume_that_slips_in_is_of_no_group(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            make(store(box), "pvc-a", "pvc-b");
            String method = switch (profile) {
                case SCALE_24_10 -> "zfs.snapshot.create";
                case V25_10 -> "pool.snapshot.create";
                default -> "zfs.resource.snapshot.create";
            };
            VolumeStore store = FreenasFixture.store(
                    box.interrupted(method, () -> make(store(box), "pvc-late")),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of());

            assertThat(take(store).isWhole()).isTrue();

            assertThat(snapshots(box)).containsExactly("/pvc-a", "/pvc-b");
            store.delete(new NativeId("pvc-late"), OnDependents.REFUSE, TestWork.patient());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_volume_that_goes_meanwhile_makes_no_group(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            make(store(box), "pvc-a", "pvc-b");
            VolumeStore store = FreenasFixture.store(
                    box.interrupted(
                            profile == Profile.V26 ? "zfs.resource.snapshot.create" : "pool.snapshot.create",
                            () -> box.removeDataset(PARENT + "/pvc-b")),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of());

            Failing.with(Failure.VolumeNotFound.class, () -> take(store));

            assertThat(snapshots(box)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_cut_anywhere_is_taken_up_or_leaves_nothing_that_bars_a_volume(Profile profile) {
        for (int effects = 0; effects < 12; effects++) {
            try (var box = new SimulatedBox(profile, folder.resolve("cut" + effects))) {
                VolumeStore store = store(box);
                make(store, "pvc-a", "pvc-b");
                TestWork cut = TestWork.patient().cancelledAfter(effects);
                boolean done = Failing.works(() -> groups(store).take(OF_TWO, 100, cut));

                if (!done) {
                    assertThat(groups(store).findByName(OF_TWO.name(), 100, TestWork.patient()))
                            .isEmpty();
                    // The repetition is of other volumes, as if the selection had changed.
                    var other = request("pvc-a");
                    assertThat(groups(store)
                                    .take(other, 100, TestWork.patient())
                                    .snapshots())
                            .hasSize(1);
                    assertThat(snapshots(box)).containsExactly("/pvc-a");
                    store.delete(new NativeId("pvc-b"), OnDependents.REFUSE, TestWork.patient());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void what_a_group_that_nobody_repeats_has_left_goes_with_its_volume_or_by_its_own_id(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b");
            boolean _ = Failing.works(
                    () -> groups(store).take(OF_TWO, 100, TestWork.patient().cancelledAfter(1)));
            assertThat(snapshots(box)).containsExactly("", "/pvc-a", "/pvc-b");
            String left = box.left().stream()
                    .filter(name -> name.startsWith(PARENT + "/pvc-a@"))
                    .findFirst()
                    .orElseThrow();

            store.delete(new NativeId("pvc-b"), OnDependents.REFUSE, TestWork.patient());
            store.snapshots()
                    .orElseThrow()
                    .delete(new NativeId(left.substring(PARENT.length() + 1)), TestWork.patient());

            assertThat(box.left()).contains(PARENT + "/pvc-a").doesNotContain(PARENT + "/pvc-b");
            assertThat(snapshots(box)).containsExactly("");
            assertThat(store.snapshots()
                            .orElseThrow()
                            .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                            .items())
                    .isEmpty();
            assertThat(take(store(box), request("pvc-a")).isWhole()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_group_whose_marks_are_not_shown_is_not_taken_for_an_unfinished_one(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b");
            StoredGroup taken = take(store);
            taken.snapshots()
                    .forEach(snapshot -> box.tamper("snapshot", PARENT + "/" + snapshot.id(), row -> {
                        row.add("user", new com.google.gson.JsonObject());
                        return row;
                    }));

            Failing.with(Failure.BackendUnavailable.class, () -> take(store));

            assertThat(snapshots(box)).containsExactly("/pvc-a", "/pvc-b");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_group_that_another_controller_finishes_meanwhile_stays(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b");
            boolean _ = Failing.works(
                    () -> groups(store).take(OF_TWO, 100, TestWork.patient().cancelledAfter(1)));
            var calls = new AtomicInteger();
            VolumeStore other = FreenasFixture.store(
                    box.watched(_ -> {
                        if (calls.incrementAndGet() == 2) {
                            take(store);
                        }
                    }),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of());

            boolean _ = Failing.works(() -> groups(other).take(request("pvc-a"), 100, TestWork.patient()));

            assertThat(snapshots(box)).containsExactly("/pvc-a", "/pvc-b");
            assertThat(take(store).snapshots()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void more_names_than_a_message_holds_are_refused_with_their_count(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b");
            IntStream.range(0, 700)
                    .forEach(i -> box.putDataset(
                            PARENT + "/" + "x".repeat(80) + i, "FILESYSTEM", new com.google.gson.JsonObject()));
            var before = box.left();

            Failure failure = Failing.failure(() -> take(store));

            assertThat(failure).isInstanceOf(Failure.Unsupported.class);
            assertThat(failure.message()).contains("700 other datasets");
            assertThat(box.left()).isEqualTo(before);
        }
    }

    @Test
    void volumes_below_several_parents_are_refused() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            box.putDataset("tank/fast", "FILESYSTEM", new com.google.gson.JsonObject());
            VolumeStore store = FreenasFixture.store(
                    box,
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of(),
                    Map.of("parents", Map.of("fast", "tank/fast")),
                    new LateCalls(InstantSource.system()));

            Failure failure =
                    Failing.failure(() -> groups(store).take(request("pvc-a", "fast.pvc-b"), 100, TestWork.patient()));

            assertThat(failure).isInstanceOf(Failure.Unsupported.class);
            assertThat(failure.message()).contains("tank/fast", PARENT);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_name_is_looked_for_by_one_filtered_query_and_what_has_it_by_its_id(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-a", "pvc-b");
            var role = store.snapshots().orElseThrow();
            var volume = store.find(new NativeId("pvc-a"), TestWork.patient()).orElseThrow();
            var longest = "x".repeat(100);
            role.take(TestVolumes.snapshot(longest, volume), 100, TestWork.patient());
            role.take(TestVolumes.snapshot("snap.1", volume), 100, TestWork.patient());

            box.forgetCalls();
            assertThat(role.findByName(new CsiName(longest), TestWork.patient()))
                    .isPresent();
            assertThat(role.findByName(new CsiName("snap.1"), TestWork.patient()))
                    .isPresent();
            assertThat(role.findByName(new CsiName("snapx1"), TestWork.patient()))
                    .isEmpty();

            assertThat(box.entries())
                    .filteredOn(entry -> entry.method().endsWith("snapshot.query")
                            && !entry.method().startsWith("zfs.resource"))
                    .extracting(entry -> entry.params().toString())
                    .allMatch(query -> query.contains("snapshot_name") || query.startsWith("[[[\"id\",\"=\""))
                    .filteredOn(query -> query.contains("snapshot_name"))
                    .hasSize(3);
        }
    }
}
