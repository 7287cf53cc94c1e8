package dev.fairlead.application.service.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishing and its way back, cut, timed out and lied to at every effect, and repeated. */
class PublishAdversityTest {
    private static final List<CrashScenario<OneConnectionFixture>> SCENARIOS = PublishScenarios.all();

    @Test
    void every_call_survives_every_crash_point() {
        CrashPoints<OneConnectionFixture> harness = new CrashPoints<>(new ClosedWorld());

        SCENARIOS.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
        assertThat(harness.counts().get(1).effects()).isEqualTo(2);
    }

    @Test
    void every_call_sees_through_every_lie() {
        LyingBackend<OneConnectionFixture> harness = new LyingBackend<>(new ClosedWorld());

        SCENARIOS.forEach(harness::seeThrough);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
    }

    /** A connection whose volumes are born closed, and a controller process that comes and goes. */
    private static final class ClosedWorld implements CrashFixture<OneConnectionFixture> {
        private InMemoryStorage nas = InMemoryStorage.named("nas");

        @Override
        public void reset() {
            nas = InMemoryStorage.named("nas");
        }

        @Override
        public OneConnectionFixture open() {
            return OneConnectionFixture.closed("memory", new InMemoryVolumeStore(nas), new InMemoryExporter(nas));
        }

        @Override
        public void close(OneConnectionFixture fixture) {
            fixture.close();
        }

        @Override
        public String dump() {
            return nas.dump();
        }
    }
}
