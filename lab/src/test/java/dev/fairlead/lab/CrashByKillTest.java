package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.KillFixture.CleanRun;
import dev.fairlead.lab.KillFixture.Disturbed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real process, killed before each system call that changes something, for every RPC of local-hostpath.
 *
 * <p>After a new start and a repeated call, folders, modes, owners, checksums and mounts equal those of a run that
 * nobody disturbed. Each call of the clean run is hit, as the trace of the killed run shows, or the test fails.
 */
@Execution(ExecutionMode.SAME_THREAD)
class CrashByKillTest {
    private static final Path FOLDERS = Path.of("/var/tmp/fairlead-crash");

    @BeforeEach
    void needs() throws Exception {
        Needs.tracing();
    }

    @AfterAll
    static void clear() throws Exception {
        Tree.remove(FOLDERS);
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void a_killed_process_leaves_what_a_repeated_call_completes(Scenario scenario) throws Exception {
        try (KillFixture fixture = KillFixture.in(folder("kill", scenario), scenario)) {
            long begin = System.nanoTime();
            CleanRun clean = fixture.cleanRun();
            assertThat(clean.moments()).as("changes in a clean run").isNotEmpty();

            List<Disturbed> runs = new ArrayList<>();
            for (Moment moment : clean.moments()) {
                runs.add(fixture.kill(moment, clean));
            }

            System.out.printf(
                    "crash points, %s: %d calls that change something, %d of them hit, %d kills, %.1f s%n",
                    scenario,
                    clean.moments().size(),
                    runs.stream().filter(Disturbed::pinned).count(),
                    runs.stream().mapToInt(Disturbed::kills).sum(),
                    (System.nanoTime() - begin) / 1e9);
            runs.forEach(run -> run.missed().forEach(System.out::println));
            assertThat(runs)
                    .flatExtracting(Disturbed::different)
                    .as("states unlike the clean run's, which is\n%s", clean.state())
                    .isEmpty();
            assertThat(runs)
                    .allSatisfy(run ->
                            assertThat(run.pinned()).as("%s", run.missed()).isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void everything_is_synced_before_the_answer_and_no_sync_is_idle(Scenario scenario) throws Exception {
        try (KillFixture fixture = KillFixture.in(folder("sync", scenario), scenario)) {
            CleanRun clean = fixture.cleanRun();

            assertThat(SyncOrder.violations(clean.calls(), fixture.base()))
                    .as(clean.state())
                    .isEmpty();
            for (Call call : clean.calls()) {
                boolean counts = call.changes(fixture.base())
                        && (call.name().startsWith("rename") || call.name().contains("sync"));
                if (counts) {
                    List<Call> without = new ArrayList<>(clean.calls());
                    without.remove(call);
                    assertThat(SyncOrder.violations(without, fixture.base()))
                            .as("without %s", call)
                            .isNotEmpty();
                }
            }
        }
    }

    private static Path folder(String test, Scenario scenario) {
        return FOLDERS.resolve(test + "-" + scenario.name().toLowerCase(Locale.ROOT));
    }
}
