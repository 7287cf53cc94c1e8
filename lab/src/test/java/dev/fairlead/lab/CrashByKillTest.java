package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.KillFixture.CleanRun;
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

/** {@linkplain CrashPoints Crash points} of every RPC of local-hostpath, and what it has synced by its answer. */
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
        new CrashPoints(CrashKind.HOSTPATH, scenario).assertNoneHarms(folder("kill", scenario), 1);
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void everything_is_synced_before_the_answer_and_no_sync_is_idle(Scenario scenario) throws Exception {
        try (KillFixture fixture = KillFixture.in(folder("sync", scenario), CrashKind.HOSTPATH, scenario)) {
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
