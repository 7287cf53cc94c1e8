package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was deleted and cannot be removed yet, since something is mounted deep inside. */
class StuckTrashTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    @Test
    void it_is_tried_again_without_a_restart_and_in_times_that_grow() throws Exception {
        SteppingClock clock = SteppingClock.standing();
        Path base = folder.resolve("base");
        VolumeStore store = new Bench(base, clock).open();
        Path busy = Files.createDirectories(Path.of(make(store).medium().path(), "deep/mounted"));
        assumeTrue(run("mount", "-t", "tmpfs", "tmpfs", busy.toString()), "left out: this needs the right to mount");
        Path trash = new Layout(base).trash();
        try {
            store.delete(A, OnDependents.REFUSE, TestWork.patient());
        } finally {
            Path entry = trash.resolve(Bench.names(trash).getFirst());
            assertThat(run("umount", entry.resolve("deep/mounted").toString())).isTrue();
        }

        assertThat(Bench.names(trash)).hasSize(1);
        clock.advance(Duration.ofSeconds(59));
        store.room(Map.of(), TestWork.patient());
        assertThat(Bench.names(trash)).hasSize(1);
        clock.advance(Duration.ofSeconds(1));
        store.room(Map.of(), TestWork.patient());

        assertThat(Bench.names(trash)).isEmpty();
    }

    @Test
    void the_times_double_up_to_an_hour_and_begin_anew_after_a_success() {
        SteppingClock clock = SteppingClock.standing();
        Backoff backoff = new Backoff(clock);

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

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such program
        }
    }
}
