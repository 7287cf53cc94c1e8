package dev.fairlead.application.service.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryReplicas;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 3"})
    void a_volume_of_replicas_survives_every_crash_point(boolean closed, int effects) {
        CrashPoints<OneConnectionFixture> harness = new CrashPoints<>(new ReplicatedWorld(closed));

        SCENARIOS.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
        assertThat(harness.counts().get(1).effects()).isEqualTo(effects);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_volume_of_replicas_sees_through_every_lie(boolean closed) {
        LyingBackend<OneConnectionFixture> harness = new LyingBackend<>(new ReplicatedWorld(closed));

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

    /** A connection whose storage keeps replicas on nodes and makes volumes available node by node. */
    private static final class ReplicatedWorld implements CrashFixture<OneConnectionFixture> {
        private final boolean closed;
        private InMemoryReplicas nas = replicas();

        private ReplicatedWorld(boolean closed) {
            this.closed = closed;
        }

        private static InMemoryReplicas replicas() {
            return InMemoryReplicas.of(InMemoryStorage.named("nas"), 2, "a", "b", "c");
        }

        @Override
        public void reset() {
            nas = replicas();
        }

        @Override
        public OneConnectionFixture open() {
            return closed
                    ? OneConnectionFixture.closed("memory", nas.store(), nas.exporter())
                    : OneConnectionFixture.files("memory", nas.store(), nas.exporter());
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
