package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every effect of every verb: cut before, cut after, timed out, lied about. */
class DirectoryAdversityTest {
    private static final NativeId A = new NativeId("pvc-a");
    private static final NativeId SNAPSHOT = new NativeId("pvc-a-snap-1");

    @TempDir(factory = InMemory.class)
    Path folder;

    private CrashFixture<VolumeStore> world() {
        return new DirectoryCrashFixture(
                folder.resolve("base"),
                Map.of("dirPermissionsMode", "2770", "dirPermissionsUser", "0", "dirPermissionsGroup", "0"));
    }

    @ParameterizedTest
    @EnumSource
    void a_process_may_die_at_any_moment(Verb verb) {
        var counts = new CrashPoints<>(world()).survive(verb.scenario()).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(10));
    }

    @ParameterizedTest
    @EnumSource
    void storage_may_lie_about_anything(Verb verb) {
        var counts = new LyingBackend<>(world()).seeThrough(verb.scenario()).counts();

        assertThat(counts).allSatisfy(count -> assertThat(count.runs()).isGreaterThanOrEqualTo(4));
    }

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
    enum Verb {
        FIRST_CREATE(CrashScenario.making("first create", _ -> {}, (store, work) -> make(store, empty("pvc-a"), work))),
        CREATE(CrashScenario.making(
                "create", store -> make(store, empty("pvc-z")), (store, work) -> make(store, empty("pvc-a"), work))),
        /** An earlier process knew the installation by other names as well. */
        RENEW_MARK(CrashScenario.making(
                "create with a mark of other names",
                store -> rename(make(store, empty("pvc-z"))),
                (store, work) -> make(store, empty("pvc-a"), work))),
        CLONE(CrashScenario.making(
                "clone", Verb::filled, (store, work) -> make(store, TestVolumes.fromVolume("pvc-b", A), work))),
        RESTORE(CrashScenario.making(
                "restore",
                Verb::snapshot,
                (store, work) -> make(store, TestVolumes.fromSnapshot("pvc-b", SNAPSHOT), work))),
        TAKE(CrashScenario.making("take", Verb::filled, (store, work) -> take(store, work))),
        DELETE(CrashScenario.changing("delete", Verb::filled, (store, work) -> {
            store.delete(A, OnDependents.REFUSE, work);
            return "done";
        })),
        DELETE_SNAPSHOT(CrashScenario.changing("delete snapshot", Verb::snapshot, (store, work) -> {
            store.snapshots().orElseThrow().delete(SNAPSHOT, work);
            return "done";
        })),
        EXPAND(CrashScenario.changing(
                "expand",
                Verb::filled,
                (store, work) -> store.expand(A, TestVolumes.atLeast(Capacity.ofGibibytes(3)), work))),
        NOTE(CrashScenario.changing("note", Verb::filled, (store, work) -> {
            store.note(A, Map.of("key", "value"), work);
            return store.find(A, work);
        }));

        private final CrashScenario<VolumeStore> scenario;

        Verb(CrashScenario<VolumeStore> scenario) {
            this.scenario = scenario;
        }

        CrashScenario<VolumeStore> scenario() {
            return scenario;
        }

        private static CreateRequest empty(String name) {
            return TestVolumes.empty(name);
        }

        private static StoredVolume make(VolumeStore store, CreateRequest request) {
            return make(store, request, TestWork.patient());
        }

        private static StoredVolume make(VolumeStore store, CreateRequest request, Work work) {
            NativeId id = new NativeId(request.name().value());
            return store.create(store.plan(request, id).noting(Map.of("context/born", "so")), work)
                    .volume();
        }

        private static NativeId take(VolumeStore store, Work work) {
            StoredVolume source = store.find(A, TestWork.patient()).orElseThrow();
            return store.snapshots()
                    .orElseThrow()
                    .take(TestVolumes.snapshot("snap-1", source), 100, work)
                    .id();
        }

        private static void filled(VolumeStore store) {
            Path root = Path.of(make(store, empty("pvc-a")).medium().path());
            try {
                Path deep = Files.createDirectories(root.resolve("deep/er"));
                Files.writeString(deep.resolve("file"), "content\n".repeat(1000));
                Files.createLink(root.resolve("again"), deep.resolve("file"));
                Files.createSymbolicLink(root.resolve("link"), Path.of("../../outside"));
                Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("rwx-w---x"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void rename(StoredVolume volume) {
            try {
                Path mark = Path.of(volume.medium().path(), "../../.fairlead/owner");
                Files.writeString(
                        mark, Files.readString(mark).replace("dev.fairlead.test", "dev.fairlead.test,dev.other"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void snapshot(VolumeStore store) {
            filled(store);
            take(store, TestWork.patient());
        }
    }
}
