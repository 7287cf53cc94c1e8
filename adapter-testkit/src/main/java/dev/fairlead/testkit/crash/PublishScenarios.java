package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.Source;
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
 * ({@link OneConnectionFixture#closed}), or open and published one by one ({@link OneConnectionFixture#files}).
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

    public static List<CrashScenario<OneConnectionFixture>> all() {
        return List.of(
                CrashScenario.making("create", _ -> {}, PublishScenarios::create),
                CrashScenario.changing("publish", PublishScenarios::volume, (it, work) -> publish(it, ONE, work)),
                CrashScenario.changing(
                        "publish to a second", PublishScenarios::published, (it, work) -> publish(it, TWO, work)),
                CrashScenario.changing(
                        "unpublish", PublishScenarios::published, (it, work) -> unpublish(it, Optional.of(ONE), work)),
                CrashScenario.changing(
                        "unpublish from all",
                        PublishScenarios::published,
                        (it, work) -> unpublish(it, Optional.empty(), work)),
                CrashScenario.changing("delete while published", PublishScenarios::published, (it, work) -> {
                    it.useCases().deleteVolume().delete(VOLUME, work);
                    return DONE;
                }));
    }

    private static Object create(OneConnectionFixture fixture, Work work) {
        return fixture.useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName("pvc-1"),
                                TestVolumes.atLeast(TestVolumes.SIZE),
                                List.of(TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER)),
                                OneConnectionFixture.ON_NAS,
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        work);
    }

    private static void volume(OneConnectionFixture fixture) {
        create(fixture, TestWork.patient());
    }

    private static void published(OneConnectionFixture fixture) {
        volume(fixture);
        publish(fixture, ONE, TestWork.patient());
    }

    private static Object publish(OneConnectionFixture fixture, String node, Work work) {
        return fixture.useCases()
                .publishVolume()
                .publish(
                        new PublishVolume.Command(
                                VOLUME, node, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false),
                        work);
    }

    private static Object unpublish(OneConnectionFixture fixture, Optional<String> node, Work work) {
        fixture.useCases().unpublishVolume().unpublish(VOLUME, node, work);
        return DONE;
    }
}
