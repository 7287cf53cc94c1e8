package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What befalls a pool of ZFS, which has groups of snapshots beside what other pools have. */
abstract class ZfsAdversityContract extends PoolAdversityContract {
    private static final NativeId GROUP = new NativeId("group-1");

    /** Returns what is done to each effect of a call on a group. */
    List<Interference> interferences() {
        return List.of(
                Interference.DEATH_BEFORE,
                Interference.DEATH_AFTER,
                Interference.CANCELLED_BEFORE,
                Interference.TIMEOUT_WITHOUT_EFFECT,
                Interference.TIMEOUT_AFTER_EFFECT);
    }

    @ParameterizedTest
    @EnumSource
    void a_process_may_die_at_any_moment_of_a_group(GroupVerb verb) throws IOException {
        var counts = new CrashPoints<>(world(), interferences())
                .survive(verb.scenario)
                .counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(10));
    }

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
    enum GroupVerb {
        TAKE(CrashScenario.making("take a group", GroupVerb::volumes, GroupVerb::take)),
        TAKE_SECOND(CrashScenario.making(
                "take a group where one was deleted",
                store -> {
                    taken(store);
                    groups(store).delete(GROUP, TestWork.patient());
                },
                GroupVerb::take)),
        DELETE(CrashScenario.changing("delete a group", GroupVerb::taken, (store, work) -> {
            groups(store).delete(GROUP, work);
            return "done";
        }));

        final CrashScenario<VolumeStore> scenario;

        GroupVerb(CrashScenario<VolumeStore> scenario) {
            this.scenario = scenario;
        }

        private static void volumes(VolumeStore store) {
            for (String name : List.of("pvc-a", "pvc-b")) {
                PoolContent.write(
                        Verb.make(store, TestVolumes.empty(name), TestWork.patient()), "data", "content of " + name);
            }
        }

        private static void taken(VolumeStore store) {
            volumes(store);
            var _ = take(store, TestWork.patient());
        }

        private static SnapshotGroups groups(VolumeStore store) {
            return store.snapshots().flatMap(SnapshotStore::groups).orElseThrow();
        }

        private static Object take(VolumeStore store, Work work) {
            var request = new GroupRequest(
                    new CsiName("group-1"), List.of(new NativeId("pvc-a"), new NativeId("pvc-b")), Map.of());
            StoredGroup taken = groups(store).take(request, 100, work);
            return List.of(
                    taken.id(),
                    taken.isWhole(),
                    taken.snapshots().stream().map(StoredSnapshot::id).toList());
        }
    }
}
