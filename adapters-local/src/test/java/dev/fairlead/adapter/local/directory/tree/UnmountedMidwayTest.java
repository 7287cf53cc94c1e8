package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A base folder whose storage goes away in the middle of a call. */
class UnmountedMidwayTest {
    private static final NativeId A = new NativeId("pvc-a");

    /** No call has fewer effects. */
    private static final int EARLY = 2;

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path base = folder;
    private Path away = folder;

    @BeforeEach
    void places() {
        base = folder.resolve("base");
        away = folder.resolve("away");
    }

    private VolumeStore store(String baseFolder) {
        return new DirectoryFixture(base, baseFolder).open();
    }

    private static void make(VolumeStore store, String name, Work work) {
        store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), work);
    }

    /** Of a peer's base, which is laid out by the same call, and of our own; at each moment of each verb. */
    @ParameterizedTest
    @CsvSource({"MAKE, true", "MAKE, false", "DELETE, true", "DELETE, false", "TAKE, true", "TAKE, false"})
    void a_mount_that_goes_away_in_the_middle_of_a_call_leaves_nothing_in_the_mount_point(Verb verb, boolean ours)
            throws IOException {
        for (int moment = 1; moment <= 25; moment++) {
            Files.createDirectories(base.resolve("v/pvc-a"));
            if (ours) {
                make(store("existing"), "pvc-z", TestWork.patient());
            }
            VolumeStore store = store("existing");
            Work work = leavingAt(moment);

            boolean done = Failing.works(() -> verb.call(store, work));
            assertThat(moment > EARLY || Files.exists(away))
                    .as("reached moment %d", moment)
                    .isTrue();
            if (Files.exists(away)) {
                assertThat(DirectoryFixture.names(base))
                        .as("after moment %d", moment)
                        .isEmpty();
                Files.delete(base);
                Files.move(away, base);
            }

            assertThat(!done || verb.isDone(base))
                    .as("done, at moment %d", moment)
                    .isTrue();
            verb.call(store, TestWork.patient());
            assertThat(verb.isDone(base))
                    .as("done again, after moment %d", moment)
                    .isTrue();
            TreeDelete.delete(base);
        }
    }

    enum Verb {
        MAKE {
            @Override
            void call(VolumeStore store, Work work) {
                make(store, "pvc-new", work);
            }

            @Override
            boolean isDone(Path base) {
                return Files.isDirectory(base.resolve("v/pvc-new"));
            }
        },
        DELETE {
            @Override
            void call(VolumeStore store, Work work) {
                store.delete(A, OnDependents.REFUSE, work);
            }

            @Override
            boolean isDone(Path base) {
                return Files.notExists(base.resolve("v/pvc-a"));
            }
        },
        TAKE {
            @Override
            void call(VolumeStore store, Work work) {
                var request = new SnapshotRequest(new CsiName("snap-1"), A, Map.of());
                store.snapshots().orElseThrow().take(request, 100, work);
            }

            @Override
            boolean isDone(Path base) {
                return Files.isDirectory(base.resolve("s/pvc-a-snap-1"));
            }
        };

        abstract void call(VolumeStore store, Work work);

        abstract boolean isDone(Path base);
    }

    private Work leavingAt(int moment) {
        var checks = new AtomicInteger();
        return TestWork.patient().cancelledWhen(() -> {
            if (checks.incrementAndGet() == moment) {
                try {
                    Files.move(base, away);
                    Files.createDirectory(base);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return false;
        });
    }
}
