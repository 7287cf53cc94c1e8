package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.lying.LyingBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every effect on what kubevirt's hostpath-provisioner made: cut before, cut after, timed out, lied about. */
class HostpathAdversityTest {
    private static final NativeId A = new NativeId("pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001");
    private static final NativeId SNAPSHOT = new NativeId("snapshot-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0009");

    @TempDir(factory = InMemory.class)
    Path folder;

    private CrashFixture<VolumeStore> world() {
        Path pool = folder.resolve("pool");
        return new CrashFixture<>() {
            @Override
            public void reset() {
                try {
                    if (Files.exists(pool, LinkOption.NOFOLLOW_LINKS)) {
                        TreeDelete.delete(pool);
                    }
                    Path volume = Files.createDirectories(pool.resolve(A.value()));
                    Files.writeString(volume.resolve("data"), "precious");
                    Path snapshot = pool.resolve("snapshots").resolve(SNAPSHOT.value());
                    Files.writeString(
                            Files.createDirectories(snapshot.resolve("data")).resolve("data"), "as it was");
                    Files.createDirectory(snapshot.resolve(A.value()));
                    SnapshotPlaceTest.end(snapshot.resolve("data"));
                    Files.createDirectories(pool.resolve("photos"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public VolumeStore open() {
                return new PoolFixture("existing")
                        .open(PoolFixture.pool(
                                "legacy",
                                pool,
                                "directory",
                                Map.of("hostpathProvisioner", "true", "snapshotPath", pool.resolve("snapshots"))));
            }

            @Override
            public void close(VolumeStore store) {
                store.close();
            }

            @Override
            public String dump() {
                return PoolDump.of(pool);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_process_may_die_at_any_moment(Verb verb) {
        var counts = new CrashPoints<>(world()).survive(verb.scenario).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(10));
    }

    @ParameterizedTest
    @EnumSource
    void storage_may_lie_about_anything(Verb verb) {
        var counts = new LyingBackend<>(world()).seeThrough(verb.scenario).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(4));
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request, Work work) {
        return store.create(store.plan(request, new NativeId(request.name().value())), work)
                .volume();
    }

    /** Lays the pool out, so that a verb has only effects of its own. */
    private static void used(VolumeStore store) {
        make(store, TestVolumes.empty("pvc-z"), TestWork.patient());
    }

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
    enum Verb {
        FIRST_DELETE(CrashScenario.changing("first delete", _ -> {}, (store, work) -> {
            store.delete(A, OnDependents.REFUSE, work);
            return "done";
        })),
        DELETE(CrashScenario.changing("delete", HostpathAdversityTest::used, (store, work) -> {
            store.delete(A, OnDependents.REFUSE, work);
            return "done";
        })),
        EXPAND(CrashScenario.changing(
                "expand",
                HostpathAdversityTest::used,
                (store, work) -> store.expand(A, TestVolumes.atLeast(Capacity.ofBytes(32 << 20)), work))),
        TAKE(CrashScenario.making(
                "take",
                HostpathAdversityTest::used,
                (store, work) -> snapshots(store)
                        .take(TestVolumes.snapshot("snap-1", store.find(A, work).orElseThrow()), 100, work))),
        RESTORE(CrashScenario.making(
                "restore",
                HostpathAdversityTest::used,
                (store, work) -> make(store, TestVolumes.fromSnapshot("pvc-b", SNAPSHOT), work))),
        CLONE(CrashScenario.making(
                "clone",
                HostpathAdversityTest::used,
                (store, work) -> make(store, TestVolumes.fromVolume("pvc-b", A), work))),
        DELETE_SNAPSHOT(CrashScenario.changing("delete snapshot", HostpathAdversityTest::used, (store, work) -> {
            snapshots(store).delete(SNAPSHOT, work);
            return "done";
        }));

        private final CrashScenario<VolumeStore> scenario;

        Verb(CrashScenario<VolumeStore> scenario) {
            this.scenario = scenario;
        }
    }
}
