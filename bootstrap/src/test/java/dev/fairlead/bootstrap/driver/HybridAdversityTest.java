package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every RPC of the hybrids, cut or timed out at every command and every call that the box sees, and repeated. That no
 * lie is believed is held by the contracts of the store and of each exporter. With each build it is a sample on 26;
 * {@code lab/truenas test} names boxes, such as {@code freenas-nfs@13.0}, on which each kind of interference is tried.
 */
class HybridAdversityTest {
    private static final Set<String> BOXES =
            Set.of(System.getProperty("fairlead.truenas.boxes", "").split(",", -1));

    /** A line for each box and kind of calls that have passed, for the table of {@code lab/truenas test}. */
    private static final Path ROWS = Path.of(System.getProperty("fairlead.truenas.rows", "target/truenas-hybrids"));

    /** Each world is one of real shells, in which a run takes long. */
    private static final Map<String, List<Interference>> SAMPLE = Map.of(
            "nfs", List.of(Interference.DEATH_AFTER, Interference.TIMEOUT_WITHOUT_EFFECT),
            "smb", List.of(Interference.DEATH_AFTER),
            "iscsi", List.of(Interference.DEATH_AFTER, Interference.TIMEOUT_AFTER_EFFECT),
            "nvmeof", List.of(Interference.DEATH_AFTER));

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Stream.of("nfs", "smb", "iscsi", "nvmeof")
                .flatMap(protocol -> Arrays.stream(Profile.values())
                        .filter(profile -> !protocol.equals("nvmeof") || profile.since(Profile.V25_10_0))
                        .filter(profile -> isSampled()
                                ? profile == Profile.V26
                                : BOXES.contains("freenas-" + protocol + "@" + profile.title()))
                        .map(profile -> Arguments.of(protocol, profile)));
    }

    private static boolean isSampled() {
        return BOXES.contains("");
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Execution(ExecutionMode.CONCURRENT) // where that is switched on
    void every_call_survives_every_crash_point(String protocol, Profile profile) throws IOException {
        survive("calls", protocol, profile, SAMPLE, ControllerScenarios.all("pvc-1@snap-1"));
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Execution(ExecutionMode.CONCURRENT) // where that is switched on
    void publishing_survives_every_crash_point(String protocol, Profile profile) throws IOException {
        survive("publishing", protocol, profile, SAMPLE, PublishScenarios.all());
    }

    /** What a store does alone is the same for all protocols, so a sample has one of them. */
    static Stream<Arguments> stores() {
        return cells().filter(cell -> !isSampled() || cell.get()[0].equals("nfs"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    @Execution(ExecutionMode.CONCURRENT) // where that is switched on
    void groups_modifications_and_copies_survive_every_crash_point(String protocol, Profile profile)
            throws IOException {
        survive(
                "roles",
                protocol,
                profile,
                Map.of(protocol, List.of(Interference.DEATH_AFTER)),
                Stream.of(
                                ControllerScenarios.ofRoles(Map.of("compression", "zstd", "sync", "always")),
                                ControllerScenarios.ofCopies("pvc-1/snap-1"))
                        .flatMap(List::stream)
                        .toList());
    }

    private void survive(
            String what,
            String protocol,
            Profile profile,
            Map<String, List<Interference>> sample,
            List<CrashScenario<OneConnectionFixture>> scenarios)
            throws IOException {
        try (HybridBox box = new HybridBox(profile, folder);
                HybridWorld world = new HybridWorld(box, protocol, what.equals("publishing"))) {
            CrashPoints<OneConnectionFixture> deaths = isSampled()
                    ? new CrashPoints<>(world, sample.getOrDefault(protocol, List.of()))
                    : new CrashPoints<>(world);

            scenarios.forEach(deaths::survive);

            assertThat(deaths.counts())
                    .hasSameSizeAs(scenarios)
                    .allSatisfy(count -> assertThat(count.runs()).isPositive());
            Files.writeString(
                    ROWS,
                    "freenas-%s@%s %s %d 100 0%n"
                            .formatted(
                                    protocol,
                                    profile.title(),
                                    what,
                                    deaths.counts().stream()
                                            .mapToInt(CrashPoints.Count::runs)
                                            .sum()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
