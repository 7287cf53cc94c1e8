package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was deleted and cannot be removed yet, since something is mounted deep inside. */
class StuckTrashTest {
    private static final NativeId A = new NativeId("pvc-a");

    private final List<Path> mounts = new ArrayList<>();

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    /** Else nobody can remove the folder. */
    @AfterEach
    void unmount() throws Exception {
        for (Path mount : mounts) {
            boolean _ = Mounts.run("umount", mount.toString());
        }
    }

    @Test
    void it_is_tried_again_without_a_call_and_in_times_that_grow() throws Exception {
        SteppingClock clock = SteppingClock.standing();
        SetAlarms alarms = new SetAlarms();
        Path base = folder.resolve("base");
        VolumeStore store = new DirectoryFixture(base, clock, alarms).open();
        Path trash = new BaseFolderLayout(base).trash();
        Path busy = deleteWithAMount(store, trash);

        clock.advance(Duration.ofMinutes(1));
        alarms.ring(SteppingClock.START.plus(Duration.ofMinutes(1)));
        assertThat(DirectoryFixture.names(trash)).hasSize(1);
        assertThat(store.busy()).isTrue();
        assertThat(Mounts.run("umount", busy.toString())).isTrue();
        clock.advance(Duration.ofMinutes(2));
        alarms.ring(SteppingClock.START.plus(Duration.ofMinutes(3)));

        assertThat(DirectoryFixture.names(trash)).isEmpty();
        assertThat(alarms.set).isEmpty();
        assertThat(store.busy()).isFalse();
    }

    /** Else the attempts of a long absence would keep what was deleted on the disk for up to another hour. */
    @Test
    void what_could_not_be_deleted_before_the_base_was_away_is_tried_again_once_the_base_is_back() throws Exception {
        SetAlarms alarms = new SetAlarms();
        Path base = folder.resolve("base");
        VolumeStore store = new DirectoryFixture(base, SteppingClock.standing(), alarms).open();
        Path trash = new BaseFolderLayout(base).trash();
        Path busy = deleteWithAMount(store, trash);
        assertThat(Mounts.run("umount", busy.toString())).isTrue();
        Path away = folder.resolve("away");
        Files.move(base, away);
        for (int minutes : new int[] {1, 2, 4, 8}) {
            alarms.ring(SteppingClock.START.plus(Duration.ofMinutes(minutes)));
        }

        Files.move(away, base);
        make(store);
        store.delete(A, OnDependents.REFUSE, TestWork.patient());

        assertThat(DirectoryFixture.names(trash)).isEmpty();
        assertThat(alarms.set).isEmpty();
        assertThat(store.busy()).isFalse();
    }

    @Test
    void a_closed_store_tries_nothing_again() throws Exception {
        SetAlarms alarms = new SetAlarms();
        Path base = folder.resolve("base");
        VolumeStore store = new DirectoryFixture(base, SteppingClock.standing(), alarms).open();
        Path _ = deleteWithAMount(store, new BaseFolderLayout(base).trash());
        assertThat(alarms.set).hasSize(1);

        store.close();

        assertThat(alarms.set).isEmpty();
        assertThat(store.busy()).isFalse();
    }

    @Test
    void the_next_call_empties_the_trash_where_no_thread_could_be_had() throws Exception {
        AtomicBoolean none = new AtomicBoolean();
        Path base = folder.resolve("base");
        VolumeStore store = new DirectoryFixture(base, task -> {
                    if (none.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                })
                .open();
        make(store);
        none.set(true);
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        none.set(false);
        assertThat(DirectoryFixture.names(new BaseFolderLayout(base).trash())).hasSize(1);

        var _ = store.find(A, TestWork.patient());

        assertThat(DirectoryFixture.names(new BaseFolderLayout(base).trash())).isEmpty();
        assertThat(store.busy()).isFalse();
    }

    @Test
    void the_next_call_empties_the_trash_where_no_alarm_could_be_set() throws Exception {
        Path base = folder.resolve("base");
        VolumeStore store = new DirectoryFixture(base, SteppingClock.standing(), (_, _) -> {
                    throw new OutOfMemoryError("unable to create native thread");
                })
                .open();
        Path trash = new BaseFolderLayout(base).trash();
        Path busy = deleteWithAMount(store, trash);
        assertThat(Mounts.run("umount", busy.toString())).isTrue();

        var _ = store.find(A, TestWork.patient());

        assertThat(DirectoryFixture.names(trash)).isEmpty();
        assertThat(store.busy()).isFalse();
    }

    @Test
    void what_is_still_written_to_holds_up_no_other() throws Exception {
        Path base = folder.resolve("base");
        VolumeStore store =
                new DirectoryFixture(base, task -> Thread.ofPlatform().start(task)).open();
        Path trash = new BaseFolderLayout(base).trash();
        make(store);
        whileWritten(Files.createDirectories(trash.resolve("0-busy/written")), () -> {
            store.delete(A, OnDependents.REFUSE, TestWork.patient());
            within(Duration.ofSeconds(30), () -> List.of("0-busy").containsAll(DirectoryFixture.names(trash)));

            store.close();

            within(Duration.ofSeconds(30), () -> !store.busy());
        });
    }

    @Test
    void what_is_stuck_is_tried_again_in_time_while_another_is_still_written_to() throws Exception {
        SteppingClock clock = SteppingClock.standing();
        SetAlarms alarms = new SetAlarms();
        Path base = folder.resolve("base");
        VolumeStore store =
                new DirectoryFixture(base, task -> Thread.ofPlatform().start(task), clock, alarms).open();
        Path trash = new BaseFolderLayout(base).trash();
        make(store);
        Path mounted = Files.createDirectories(trash.resolve("0-stuck/mounted"));
        mounts.add(mounted);
        assumeTrue(
                Mounts.run("mount", "-t", "tmpfs", "tmpfs", mounted.toString()),
                "left out: this needs the right to mount");
        whileWritten(Files.createDirectories(trash.resolve("0-busy/written")), () -> {
            store.delete(A, OnDependents.REFUSE, TestWork.patient());
            within(Duration.ofSeconds(30), () -> !alarms.set.isEmpty());
            assertThat(Mounts.run("umount", mounted.toString())).isTrue();

            clock.advance(Duration.ofMinutes(2));

            within(Duration.ofSeconds(30), () -> {
                alarms.ringDue(clock.instant()); // one is set if the busy one was found empty, and then was not
                return List.of("0-busy").containsAll(DirectoryFixture.names(trash));
            });
            store.close();
            within(Duration.ofSeconds(30), () -> !store.busy());
        });
    }

    private static void whileWritten(Path busy, Checks checks) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> writers = Stream.of("a", "b", "c", "d")
                .map(writer -> Thread.ofPlatform().start(() -> {
                    for (long n = 0; !stop.get(); n++) {
                        boolean _ = busy.resolve(writer + n).toFile().mkdirs();
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000);
                    }
                }))
                .toList();
        try {
            checks.run();
        } finally {
            stop.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
        }
    }

    /** What a test does and looks at. */
    @FunctionalInterface
    private interface Checks {
        void run() throws Exception;
    }

    private static void within(Duration most, BooleanSupplier holds) throws InterruptedException {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).as("nanoseconds").isLessThan(most.toNanos());
            Thread.sleep(10);
        }
    }

    /** Answers where the mount is now, in the trash. */
    private Path deleteWithAMount(VolumeStore store, Path trash) throws Exception {
        Path busy = Files.createDirectories(Path.of(make(store).medium().path(), "deep/mounted"));
        assumeTrue(
                Mounts.run("mount", "-t", "tmpfs", "tmpfs", busy.toString()),
                "left out: this needs the right to mount");
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        assertThat(DirectoryFixture.names(trash)).hasSize(1);
        Path there = trash.resolve(DirectoryFixture.names(trash).getFirst()).resolve("deep/mounted");
        mounts.add(there);
        return there;
    }

    /** Alarms that ring when the test says so. */
    private static final class SetAlarms implements Alarm {
        private final SortedMap<Instant, Runnable> set = new ConcurrentSkipListMap<>();

        @Override
        public Call at(Instant when, Runnable task) {
            set.put(when, task);
            return () -> {
                var _ = set.remove(when, task);
            };
        }

        /** Rings the next one, which must be set to this time. */
        private void ring(Instant when) {
            assertThat(set).containsOnlyKeys(when);
            Runnable task = set.values().iterator().next();
            set.clear();
            task.run();
        }

        /** Rings those that are set to this time or an earlier one. */
        private void ringDue(Instant now) {
            for (Instant when : List.copyOf(set.keySet())) {
                Runnable task = when.isAfter(now) ? null : set.remove(when);
                if (task != null) {
                    task.run();
                }
            }
        }
    }

    @Test
    void the_times_double_up_to_an_hour_and_begin_anew_after_a_success() {
        SteppingClock clock = SteppingClock.standing();
        RemovalRetry backoff = new RemovalRetry(clock);

        for (int minutes : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            backoff.failed();
            clock.advance(Duration.ofMinutes(minutes).minusSeconds(1));
            assertThat(backoff.isDue()).as("before %d minutes", minutes).isFalse();
            clock.advance(Duration.ofSeconds(1));
            assertThat(backoff.isDue()).as("after %d minutes", minutes).isTrue();
        }
        backoff.succeeded();
        assertThat(backoff.isDue()).isFalse();
        backoff.failed();
        clock.advance(Duration.ofMinutes(1));

        assertThat(backoff.isDue()).isTrue();
    }

    private static StoredVolume make(VolumeStore store) {
        return store.create(store.plan(TestVolumes.empty("pvc-a"), A), TestWork.patient())
                .volume();
    }
}
