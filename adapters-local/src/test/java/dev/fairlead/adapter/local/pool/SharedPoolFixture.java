package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A pool that several nodes have mounted, and the processes of these nodes. */
abstract class SharedPoolFixture {
    static final NativeId ID = new NativeId("pvc-1");

    /** More than there are checks in the making of one volume. */
    static final int MOMENTS = 40;

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    Path base = folder;

    final SteppingClock clock = SteppingClock.standing();
    final List<Runnable> alarms = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        base = Files.createDirectory(folder.resolve("pool"));
    }

    /** Opens the pool as a new process on a node. */
    VolumeStore on(String node) {
        return on(node, base);
    }

    VolumeStore on(String node, Path path) {
        return process(node).open(PoolFixture.unsaid("legacy", path, Map.of("shared", "true")));
    }

    PoolFixture process(String node) {
        return PoolFixture.on(node, clock, (_, task) -> {
            alarms.add(task);
            return Alarm.Call.NONE;
        });
    }

    static Creation make(VolumeStore store, NativeId id, Work work) {
        return store.create(store.plan(TestVolumes.empty(id.value()), id), work);
    }

    static void refused(Runnable call, String why) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining(why);
    }

    /** Runs an action in the middle of a call, at the given one of its checks. */
    static TestWork at(int moment, Runnable action, AtomicInteger checks) {
        return TestWork.patient().cancelledWhen(() -> {
            if (checks.incrementAndGet() == moment) {
                action.run();
            }
            return false;
        });
    }

    void silence(String node, Path path) {
        Path alive = path.resolve(".fairlead/nodes").resolve(node).resolve("alive");
        try {
            if (Files.exists(alive)) {
                Files.setLastModifiedTime(alive, FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void verifyNothingUnfinished(Path path, String... nodes) {
        assertThat(DirectoryFixture.names(path.resolve(".fairlead/claims"))).isEmpty();
        for (String node : nodes) {
            Path its = path.resolve(".fairlead/nodes").resolve(node);
            if (Files.exists(its)) { // it has changed something
                assertThat(DirectoryFixture.names(its.resolve("partial")))
                        .as(node)
                        .isEmpty();
                assertThat(DirectoryFixture.names(its.resolve("trash")))
                        .as(node)
                        .isEmpty();
            }
        }
    }

    void anew() throws IOException {
        TreeDelete.delete(base);
        Files.createDirectory(base);
    }

    static Object key(Path path) throws IOException {
        return Optional.ofNullable(Files.readAttributes(path, "unix:ino").get("ino"))
                .orElseThrow();
    }

    static void copy(Path from, Path to) {
        try {
            Process copied = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                    .inheritIO()
                    .start();
            assertThat(copied.waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
