package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each command of a group's and a modification's calls: cut before and after it, timed out, and said to be done. */
class StoreRolesAdversityTest {
    private static final GroupRequest GROUP =
            new GroupRequest(new CsiName("group-1"), List.of(new NativeId("pvc-a"), new NativeId("pvc-b")), Map.of());
    private static final NativeId PVC = new NativeId("pvc-a");

    private static final List<CrashScenario<VolumeStore>> SCENARIOS = List.of(
            // What a caller is told of a failure after the instant is for the use case, which looks again.
            CrashScenario.changing(
                    "take a group",
                    StoreRolesAdversityTest::volumes,
                    (store, work) ->
                            groups(store).take(GROUP, 100, work).snapshots().size()),
            CrashScenario.changing(
                    "delete a group",
                    store -> {
                        volumes(store);
                        groups(store).take(GROUP, 100, TestWork.patient());
                    },
                    (store, work) -> {
                        groups(store).delete(new NativeId("group-1"), work);
                        return "done";
                    }),
            CrashScenario.changing("modify", StoreRolesAdversityTest::volumes, (store, work) -> {
                store.modification().orElseThrow().modify(PVC, Map.of("compression", "zstd", "sync", "always"), work);
                return "done";
            }));

    @Test
    void every_call_survives_every_crash_point() {
        var harness = new CrashPoints<>(new Pool());

        SCENARIOS.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
    }

    @Test
    void every_call_sees_through_every_lie() {
        var harness = new LyingBackend<>(new Pool());

        SCENARIOS.forEach(harness::seeThrough);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return store.snapshots().flatMap(SnapshotStore::groups).orElseThrow();
    }

    private static void volumes(VolumeStore store) {
        for (String name : List.of("pvc-a", "pvc-b")) {
            store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
        }
    }

    /** The pool that outlives each store over it. */
    private static final class Pool implements CrashFixture<VolumeStore> {
        private ZfsFixture fixture = fresh();

        private static ZfsFixture fresh() {
            return new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
        }

        @Override
        public void reset() {
            fixture = fresh();
        }

        @Override
        public VolumeStore open() {
            return fixture.open();
        }

        @Override
        public void close(VolumeStore store) {
            store.close();
        }

        @Override
        public String dump() {
            return fixture.pool().dump();
        }
    }
}
