package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.application.port.in.Source;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Optional;

/**
 * Lists scenarios of publishing and unpublishing, for a controller whose volumes are closed
 * ({@link ControllerProcess#closed}).
 */
public final class PublishScenarios {
    private static final String VOLUME = "v:nas/pvc-1";
    private static final String DONE = "done";

    /** The id of a node that every protocol can name. */
    private static final String ONE = node(1);

    private static final String TWO = node(2);

    private PublishScenarios() {}

    private static String node(int number) {
        return "n=node-" + number + "/i1=node-" + number + "/vu=00000000-0000-4000-8000-00000000000" + number
                + "/a=198.51.100." + number;
    }

    public static List<Scenario<ControllerProcess>> all() {
        return List.of(
                Scenario.making("create closed", _ -> {}, PublishScenarios::create),
                Scenario.changing("publish", PublishScenarios::volume, (it, work) -> publish(it, ONE, work)),
                Scenario.changing(
                        "publish to a second", PublishScenarios::published, (it, work) -> publish(it, TWO, work)),
                Scenario.changing(
                        "unpublish", PublishScenarios::published, (it, work) -> unpublish(it, Optional.of(ONE), work)),
                Scenario.changing(
                        "unpublish from all",
                        PublishScenarios::published,
                        (it, work) -> unpublish(it, Optional.empty(), work)),
                Scenario.changing("delete while published", PublishScenarios::published, (it, work) -> {
                    it.useCases().deleteVolume().delete(VOLUME, work);
                    return DONE;
                }));
    }

    private static Object create(ControllerProcess process, Work work) {
        return process.useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName("pvc-1"),
                                TestVolumes.atLeast(TestVolumes.SIZE),
                                List.of(TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER)),
                                ControllerProcess.ON_NAS,
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        work);
    }

    private static void volume(ControllerProcess process) {
        create(process, TestWork.patient());
    }

    private static void published(ControllerProcess process) {
        volume(process);
        publish(process, ONE, TestWork.patient());
    }

    private static Object publish(ControllerProcess process, String node, Work work) {
        process.useCases()
                .publishVolume()
                .publish(
                        new PublishVolume.Command(
                                VOLUME, node, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false),
                        work);
        return DONE;
    }

    private static Object unpublish(ControllerProcess process, Optional<String> node, Work work) {
        process.useCases().unpublishVolume().unpublish(VOLUME, node, work);
        return DONE;
    }
}
