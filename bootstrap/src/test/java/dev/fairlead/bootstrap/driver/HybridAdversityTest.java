package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every RPC of the hybrids, cut or timed out at every command and every call that the box sees, and repeated. That no
 * lie is believed, and each other kind of interference, is held by the contracts of the store and of each exporter.
 */
class HybridAdversityTest {
    /** Each world is one of real shells, in which a run takes long. */
    private static final Map<String, List<Interference>> KINDS = Map.of(
            "nfs", List.of(Interference.DEATH_AFTER, Interference.TIMEOUT_WITHOUT_EFFECT),
            "smb", List.of(Interference.DEATH_AFTER),
            "iscsi", List.of(Interference.DEATH_AFTER, Interference.TIMEOUT_AFTER_EFFECT),
            "nvmeof", List.of(Interference.DEATH_AFTER));

    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "smb", "iscsi", "nvmeof"})
    void every_call_survives_every_crash_point(String protocol) {
        survive(protocol, false, ControllerScenarios.all("pvc-1@snap-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "smb", "iscsi", "nvmeof"})
    void publishing_survives_every_crash_point(String protocol) {
        survive(protocol, true, PublishScenarios.all());
    }

    private void survive(String protocol, boolean closed, List<CrashScenario<OneConnectionFixture>> scenarios) {
        try (HybridBox box = new HybridBox(Profile.V26, folder);
                HybridWorld world = new HybridWorld(box, protocol, closed)) {
            CrashPoints<OneConnectionFixture> deaths =
                    new CrashPoints<>(world, KINDS.getOrDefault(protocol, List.of()));

            scenarios.forEach(deaths::survive);

            assertThat(deaths.counts())
                    .hasSameSizeAs(scenarios)
                    .allSatisfy(count -> assertThat(count.runs()).isPositive());
        }
    }
}
