package dev.fairlead.application.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.lying.LyingBackend;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every call that changes something, cut, timed out and lied to at every effect, and repeated. */
class ControllerAdversityTest {
    private static final Map<String, String> ON_NAS = Map.of("connection", "nas");
    private static final CsiName GROUP = new CsiName("group-1");
    private static final List<String> MEMBERS = List.of("v:nas/pvc-1", "v:nas/pvc-2");

    private static final List<CrashScenario<ControllerFixture>> SCENARIOS = List.of(
            CrashScenario.making("create", _ -> {}, (it, work) -> create(it, "pvc-1", ON_NAS, Source.NONE, work)),
            CrashScenario.making(
                    "create on one of several",
                    _ -> {},
                    (it, work) -> create(it, "pvc-1", Map.of("connections", "nas,san"), Source.NONE, work)),
            CrashScenario.making(
                    "clone",
                    ControllerAdversityTest::volume,
                    (it, work) -> create(it, "pvc-2", ON_NAS, new Source.Volume("v:nas/pvc-1"), work)),
            CrashScenario.making(
                    "restore on one of several",
                    ControllerAdversityTest::snapshot,
                    (it, work) -> create(
                            it,
                            "pvc-2",
                            Map.of("connections", "nas,san"),
                            new Source.Snapshot("s:nas/pvc-1@snap-1"),
                            work)),
            CrashScenario.making(
                    "snapshot",
                    ControllerAdversityTest::volume,
                    (it, work) -> it.useCases
                            .takeSnapshot()
                            .take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), work)
                            .handle()),
            CrashScenario.changing(
                    "expand",
                    ControllerAdversityTest::volume,
                    (it, work) ->
                            it.useCases.expandVolume().expand("v:nas/pvc-1", CapacityRange.of(1L << 30, 0), work)),
            CrashScenario.changing("delete", ControllerAdversityTest::volume, (it, work) -> {
                it.useCases.deleteVolume().delete("v:nas/pvc-1", work);
                return "done";
            }),
            CrashScenario.making(
                    "create with mutable parameters",
                    _ -> {},
                    (it, work) -> it.useCases.createVolume().create(mutable("fast"), work)),
            CrashScenario.changing(
                    "create what has others",
                    it -> it.create(mutable("slow")),
                    (it, work) -> it.useCases.createVolume().create(mutable("fast"), work)),
            CrashScenario.changing("modify", ControllerAdversityTest::volume, (it, work) -> {
                it.useCases.modifyVolume().modify("v:nas/pvc-1", Map.of("speed", "fast", "cache", "on"), work);
                return "done";
            }),
            CrashScenario.making(
                    "group snapshot",
                    ControllerAdversityTest::volumes,
                    (it, work) -> it.useCases
                            .groups()
                            .take()
                            .take(GROUP, MEMBERS, Map.of(), work)
                            .handle()),
            CrashScenario.changing(
                    "delete group snapshot",
                    it -> {
                        volumes(it);
                        it.useCases.groups().take().take(GROUP, MEMBERS, Map.of(), TestWork.patient());
                    },
                    (it, work) -> {
                        it.useCases.groups().delete().delete("g:nas/group-1", List.of(), work);
                        return "done";
                    }),
            CrashScenario.changing("delete snapshot", ControllerAdversityTest::snapshot, (it, work) -> {
                it.useCases.deleteSnapshot().delete("s:nas/pvc-1@snap-1", work);
                return "done";
            }));

    @Test
    void every_call_survives_every_crash_point() {
        CrashPoints<ControllerFixture> harness = new CrashPoints<>(new ControllerCrashFixture());

        SCENARIOS.forEach(harness::survive);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
        assertThat(harness.counts().getFirst().effects()).isEqualTo(4);
    }

    @Test
    void every_call_sees_through_every_lie() {
        LyingBackend<ControllerFixture> harness = new LyingBackend<>(new ControllerCrashFixture());

        SCENARIOS.forEach(harness::seeThrough);

        assertThat(harness.counts()).hasSameSizeAs(SCENARIOS);
    }

    private static void volume(ControllerFixture controller) {
        controller.create("pvc-1", ON_NAS);
    }

    private static void volumes(ControllerFixture controller) {
        volume(controller);
        controller.create("pvc-2", ON_NAS);
    }

    private static CreateVolume.Command mutable(String speed) {
        return ControllerFixture.mutable(ControllerFixture.command("pvc-1", ON_NAS), Map.of("speed", speed));
    }

    private static void snapshot(ControllerFixture controller) {
        volume(controller);
        controller.useCases.takeSnapshot().take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient());
    }

    private static Object create(
            ControllerFixture controller, String name, Map<String, String> parameters, Source source, Work work) {
        return controller
                .useCases
                .createVolume()
                .create(ControllerFixture.command(name, parameters, CapacityRange.ANY, source), work);
    }
}
