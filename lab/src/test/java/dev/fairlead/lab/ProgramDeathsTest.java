package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.KillFixture.CleanRun;
import dev.fairlead.lab.KillFixture.Disturbed;
import dev.fairlead.lab.KillingPrograms.Death;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real process, killed in each program that it runs for an RPC of a local pool: what the program would have done is
 * not done, or is done by it alone while the driver starts anew and the call is repeated.
 */
@Execution(ExecutionMode.SAME_THREAD)
class ProgramDeathsTest {
    private static final Path FOLDERS = Path.of("/var/tmp/fairlead-program-deaths");

    /** Each place is removed by its test, so what is left here are the folders above them. */
    @AfterAll
    static void clear() throws Exception {
        Files.deleteIfExists(FOLDERS);
    }

    /** One of them, so that each build tries some. */
    @ParameterizedTest
    @MethodSource("stagedImage")
    void a_process_that_is_killed_in_one_program_leaves_what_a_repeated_call_completes(
            CrashKind kind, Scenario scenario) throws Exception {
        killed(kind, scenario, 4);
    }

    static Stream<Arguments> stagedImage() {
        return Stream.of(Arguments.of(CrashKind.IMAGE, Scenario.STAGE));
    }

    /** All of them; {@code -Dfairlead.kills.kinds=zfs -Dfairlead.kills.every=2} tries each second of this kind only. */
    @ParameterizedTest
    @MethodSource("cases")
    @Tag("long")
    void a_process_that_is_killed_in_any_program_leaves_what_a_repeated_call_completes(
            CrashKind kind, Scenario scenario) throws Exception {
        killed(kind, scenario, PoolKillsTest.EVERY);
    }

    /** Kinds of pools for which the driver runs programs; nobody but a node does so for images. */
    static Stream<Arguments> cases() {
        return PoolKillsTest.cases().filter(it -> ((CrashKind) it.get()[0]).runsPrograms((Scenario) it.get()[1]));
    }

    private static void killed(CrashKind kind, Scenario scenario, int every) throws Exception {
        Needs.root();
        String name = (kind + "-" + scenario + "-" + every).toLowerCase(Locale.ROOT);
        try (KillFixture fixture = KillFixture.withPrograms(FOLDERS.resolve(name), kind, scenario)) {
            long begin = System.nanoTime();
            CleanRun clean = fixture.cleanRun();
            List<String> programs = fixture.programs(clean);
            assertThat(programs).as("programs of a clean run").isNotEmpty();

            List<Disturbed> runs = new ArrayList<>();
            for (int nth = 1; nth <= programs.size(); nth += every) {
                for (Death death : Death.values()) {
                    runs.add(fixture.kill(death, nth, programs, clean));
                }
            }

            System.out.printf(
                    "program deaths, %s, %s: %d programs, %d deaths, %d of them hit, %.1f s%n",
                    kind,
                    scenario,
                    programs.size(),
                    runs.size(),
                    runs.stream().filter(Disturbed::pinned).count(),
                    (System.nanoTime() - begin) / 1e9);
            clean.assertNoneHarmed(runs);
        }
    }
}
