package dev.fairlead.testkit.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.Scenario;
import dev.fairlead.testkit.crash.World;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Publishing and its way back, cut, timed out and lied to at every effect, and repeated. */
class PublishAdversityTest {
    private static final String VOLUME = "v:nas/pvc-1";
    private static final String ONE = "n=node-1/a=10.0.0.1";
    private static final String TWO = "n=node-2/a=10.0.0.2";

    private static final List<Scenario<Controller>> SCENARIOS = List.of(
            Scenario.making(
                    "create",
                    _ -> {},
                    (it, work) -> it.useCases
                            .createVolume()
                            .create(Controller.command("pvc-1", Map.of("connection", "nas")), work)),
            Scenario.changing("publish", PublishAdversityTest::volume, (it, work) -> publish(it, ONE, work)),
            Scenario.changing(
                    "publish to a second", PublishAdversityTest::published, (it, work) -> publish(it, TWO, work)),
            Scenario.changing(
                    "unpublish", PublishAdversityTest::published, (it, work) -> unpublish(it, Optional.of(ONE), work)),
            Scenario.changing(
                    "unpublish from all",
                    PublishAdversityTest::published,
                    (it, work) -> unpublish(it, Optional.empty(), work)),
            Scenario.changing("delete", PublishAdversityTest::published, (it, work) -> {
                it.useCases.deleteVolume().delete(VOLUME, work);
                return "done";
            }));

    @Test
    void every_call_survives_every_crash_point() {
        CrashPoints<Controller> harness = new CrashPoints<>(new ClosedWorld());

        SCENARIOS.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
        assertThat(harness.counts().get(1).effects()).isEqualTo(2);
    }

    @Test
    void every_call_sees_through_every_lie() {
        LyingBackend<Controller> harness = new LyingBackend<>(new ClosedWorld());

        SCENARIOS.forEach(harness::seeThrough);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
    }

    private static void volume(Controller controller) {
        controller.create("pvc-1", Map.of("connection", "nas"));
    }

    private static void published(Controller controller) {
        volume(controller);
        publish(controller, ONE, TestWork.patient());
    }

    private static Object publish(Controller controller, String node, Work work) {
        controller
                .useCases
                .publishVolume()
                .publish(
                        new PublishVolume.Command(
                                VOLUME, node, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false),
                        work);
        return "done";
    }

    private static Object unpublish(Controller controller, Optional<String> node, Work work) {
        controller.useCases.unpublishVolume().unpublish(VOLUME, node, work);
        return "done";
    }

    /** A connection whose volumes are born closed, and a controller process that comes and goes. */
    private static final class ClosedWorld implements World<Controller> {
        private InMemoryStorage nas = InMemoryStorage.named("nas");

        @Override
        public void reset() {
            nas = InMemoryStorage.named("nas");
        }

        @Override
        public Controller open() {
            return Controller.proxy().with(nas, Controller.closed());
        }

        @Override
        public void close(Controller controller) {
            controller.close();
        }

        @Override
        public String dump() {
            return nas.dump();
        }
    }
}
