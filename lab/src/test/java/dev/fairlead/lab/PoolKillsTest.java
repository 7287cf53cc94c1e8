package dev.fairlead.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@linkplain CrashPoints Crash points} of every RPC of local-pool, for each kind of pool. */
@Execution(ExecutionMode.SAME_THREAD)
class PoolKillsTest {
    private static final Path FOLDERS = Path.of("/var/tmp/fairlead-pool-kills");

    /** Which part of the calls the long ones hit. */
    static final int EVERY = Integer.getInteger("fairlead.kills.every", 1);

    @BeforeEach
    void needs() throws Exception {
        Needs.tracing();
    }

    /** Each place is removed by its test, so what is left here are the folders above them. */
    @AfterAll
    static void clear() throws Exception {
        Files.deleteIfExists(FOLDERS);
    }

    /** A part of them, so that each build tries some; all are tried with the tag {@code long}. */
    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void a_process_that_is_killed_now_and_then_leaves_what_a_repeated_call_completes(Scenario scenario)
            throws Exception {
        killed(CrashKind.DIRECTORY, scenario, 24);
    }

    /** All of them; {@code -Dfairlead.kills.kinds=btrfs,image -Dfairlead.kills.scenarios=stage} tries these only. */
    @ParameterizedTest
    @MethodSource("cases")
    @Tag("long")
    @Execution(ExecutionMode.CONCURRENT)
    void a_process_that_is_killed_anywhere_leaves_what_a_repeated_call_completes(CrashKind kind, Scenario scenario)
            throws Exception {
        killed(kind, scenario, EVERY);
    }

    static Stream<Arguments> cases() {
        return Stream.of(CrashKind.values())
                .filter(kind -> !kind.isHostpath() && isWanted("kinds", kind))
                .flatMap(kind -> Stream.of(Scenario.values())
                        .filter(scenario -> isWanted("scenarios", scenario))
                        .map(scenario -> Arguments.of(kind, scenario)));
    }

    private static boolean isWanted(String property, Enum<?> value) {
        List<String> wanted =
                List.of(System.getProperty("fairlead.kills." + property, "").split(","));
        return wanted.contains("") || wanted.contains(value.name().toLowerCase(Locale.ROOT));
    }

    private static void killed(CrashKind kind, Scenario scenario, int every) throws Exception {
        String name = kind + "-" + scenario + "-" + every;
        new CrashPoints(kind, scenario).assertNoneHarms(FOLDERS.resolve(name.toLowerCase(Locale.ROOT)), every);
    }
}
