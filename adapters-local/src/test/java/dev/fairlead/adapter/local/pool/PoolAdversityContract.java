package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
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

/** Every effect of every verb on a pool: cut before, cut after, timed out, lied about. */
abstract class PoolAdversityContract {
    private static final NativeId A = new NativeId("pvc-a");
    private static final NativeId SNAPSHOT = new NativeId("pvc-a-snap-1");

    @TempDir(factory = InMemory.class)
    Path folder;

    /** Returns the word for the kind of pool that is tested. */
    abstract String kind();

    /** Returns further keys of the pool. */
    Map<String, String> keys() {
        return Map.of();
    }

    /** Prepares the pool's folder, which a connection makes itself where it may. */
    void lay(Path pool) throws IOException {}

    /** Returns what is in the pool in the end. */
    String dumped(Path pool) {
        return PoolDump.of(pool);
    }

    /** Returns the folder in which the pool is made. */
    Path place() throws IOException {
        return folder;
    }

    /** Returns a process. */
    PoolFixture process() {
        return new PoolFixture("create");
    }

    CrashFixture<VolumeStore> world() throws IOException {
        Path pool = place().resolve("pool");
        return new CrashFixture<>() {
            @Override
            public void reset() {
                try {
                    if (Files.exists(pool, LinkOption.NOFOLLOW_LINKS)) {
                        TreeDelete.delete(pool);
                    }
                    lay(pool);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public VolumeStore open() {
                return process().open(PoolFixture.pool("legacy", pool, kind(), keys()));
            }

            @Override
            public void close(VolumeStore store) {
                store.close();
            }

            @Override
            public String dump() {
                return dumped(pool);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_process_may_die_at_any_moment(Verb verb) throws IOException {
        var counts = new CrashPoints<>(world()).survive(verb.scenario).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(10));
    }

    @ParameterizedTest
    @EnumSource
    void storage_may_lie_about_anything(Verb verb) throws IOException {
        var counts = new LyingBackend<>(world()).seeThrough(verb.scenario).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(4));
    }

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
    enum Verb {
        FIRST_CREATE(CrashScenario.making(
                "first create", _ -> {}, (store, work) -> make(store, TestVolumes.empty("pvc-a"), work))),
        CREATE(CrashScenario.making(
                "create",
                store -> make(store, TestVolumes.empty("pvc-z"), TestWork.patient()),
                (store, work) -> make(store, TestVolumes.empty("pvc-a"), work))),
        CLONE(CrashScenario.making(
                "clone", Verb::filled, (store, work) -> make(store, TestVolumes.fromVolume("pvc-b", A), work))),
        RESTORE(CrashScenario.making(
                "restore",
                Verb::snapshot,
                (store, work) -> make(store, TestVolumes.fromSnapshot("pvc-b", SNAPSHOT), work))),
        TAKE(CrashScenario.making(
                "take",
                Verb::filled,
                (store, work) -> store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap-1", store.find(A, work).orElseThrow()), 100, work))),
        DELETE(CrashScenario.changing("delete", Verb::filled, (store, work) -> {
            store.delete(A, OnDependents.REFUSE, work);
            return "done";
        })),
        EXPAND(CrashScenario.changing(
                "expand",
                Verb::filled,
                (store, work) -> store.expand(A, TestVolumes.atLeast(Capacity.ofBytes(32 << 20)), work)));

        private final CrashScenario<VolumeStore> scenario;

        Verb(CrashScenario<VolumeStore> scenario) {
            this.scenario = scenario;
        }

        static StoredVolume make(VolumeStore store, CreateRequest request, Work work) {
            NativeId id = new NativeId(request.name().value());
            return store.create(store.plan(request, id).noting(Map.of("context/born", "so")), work)
                    .volume();
        }

        private static void filled(VolumeStore store) {
            PoolContent.write(make(store, TestVolumes.empty("pvc-a"), TestWork.patient()), "data", "precious");
        }

        private static void snapshot(VolumeStore store) {
            filled(store);
            store.snapshots()
                    .orElseThrow()
                    .take(
                            TestVolumes.snapshot(
                                    "snap-1", store.find(A, TestWork.patient()).orElseThrow()),
                            100,
                            TestWork.patient());
        }
    }
}
