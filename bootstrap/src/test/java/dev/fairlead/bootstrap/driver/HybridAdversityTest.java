package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every RPC of the hybrids, cut and timed out at every command and every call that the box sees, and repeated. That no lie
 * is believed is held by the contracts of the store and of each exporter.
 */
class HybridAdversityTest {
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
            CrashPoints<OneConnectionFixture> deaths = new CrashPoints<>(world);

            scenarios.forEach(deaths::survive);

            assertThat(deaths.counts()).hasSameSizeAs(scenarios);
        }
    }
}
