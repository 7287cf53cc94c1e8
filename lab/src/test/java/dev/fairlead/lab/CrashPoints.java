package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.KillFixture.CleanRun;
import dev.fairlead.lab.KillFixture.Disturbed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The real process, killed before each system call of an RPC that changes something.
 *
 * <p>After a new start and a repeated call, folders, modes, owners, checksums, limits, devices and mounts equal those
 * of a run that nobody disturbed. Each call of the clean run is hit, as the trace of the killed run shows, or it fails.
 */
record CrashPoints(CrashKind kind, Scenario scenario) {

    /** @param every which part of the calls is hit: each, or every so manieth */
    void assertNoneHarms(Path folder, int every) throws IOException, InterruptedException {
        try (KillFixture fixture = KillFixture.in(folder, kind, scenario)) {
            long begin = System.nanoTime();
            CleanRun clean = fixture.cleanRun();
            assertThat(clean.moments()).as("changes in a clean run").isNotEmpty();

            List<Disturbed> runs = new ArrayList<>();
            int moments = clean.moments().size();
            for (int i = moments / 2 % every; i < moments; i += every) {
                runs.add(fixture.kill(clean.moments().get(i), clean));
            }

            System.out.printf(
                    "crash points, %s, %s: %d calls that change something, %d of them hit, %d kills, %.1f s%n",
                    kind,
                    scenario,
                    moments,
                    runs.stream().filter(Disturbed::pinned).count(),
                    runs.stream().mapToInt(Disturbed::kills).sum(),
                    (System.nanoTime() - begin) / 1e9);
            runs.forEach(run -> run.missed().forEach(System.out::println));
            clean.assertNoneHarmed(runs);
        }
    }
}
