package dev.fairlead.adapter.freenas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import dev.fairlead.testkit.model.UseCaseCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;

/** A box with faults, and the RPCs that a controller makes on it, by their codes. */
public record FaultyBox(
        WiredBox box,
        BoxController controllers,
        OneConnectionFixture controller,
        UseCaseCalls calls,
        Set<String> before)
        implements AutoCloseable {
    public static final long GIB = 1L << 30;

    public static FaultyBox start(Profile profile, Protocol protocol, Path folder) {
        return start(profile, protocol, folder, SimulatorSettings.standard());
    }

    public static FaultyBox start(Profile profile, Protocol protocol, Path folder, SimulatorSettings settings) {
        WiredBox box = WiredBox.start(profile, protocol, folder, settings);
        box.makeParents();
        var controllers = new BoxController(box.simulator(), protocol);
        OneConnectionFixture controller = controllers.open();
        return new FaultyBox(
                box,
                controllers,
                controller,
                new UseCaseCalls(controller.useCases(), OneConnectionFixture.ON_NAS),
                box.rows());
    }

    public Simulator simulator() {
        return box.simulator();
    }

    public void fault(String method, Fault.Injury injury) {
        simulator().fault(Fault.at(method, injury));
    }

    public Answer<Facts.Volume> create(String name) {
        return calls.createVolume(name, GIB, 0, Facts.Source.NONE);
    }

    /** Publishes a volume to a node, by its number. */
    public void publish(String name, int node) {
        publish(controller.useCases(), name, node);
    }

    public static void publish(ControllerUseCases useCases, String name, int node) {
        String id =
                "n=node-%1$d/i1=node-%1$d/vu=00000000-0000-4000-8000-00000000000%1$d/a=198.51.100.%1$d".formatted(node);
        var _ = useCases.publishVolume()
                .publish(
                        new PublishVolume.Command(
                                "v:nas/" + name, id, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), false),
                        TestWork.patient());
    }

    public Answer<String> delete(String name) {
        return calls.deleteVolume("v:nas/" + name);
    }

    /** Makes a call that has this much time, and returns what it fails with. */
    public Failure failure(Duration left, BiConsumer<ControllerUseCases, Work> call) {
        return Failing.failure(
                () -> call.accept(controller.useCases(), TestWork.patient().left(left)));
    }

    /** Checks that a volume can be made now and deleted, and that nothing is left then. */
    public void verifyRepetition(String name) {
        simulator().clearFaults();
        Answer<?> answer = create(name);
        assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
        verifyDeletion(name);
    }

    /**
     * Checks that a volume can be deleted, also once more, and that nothing is left then. If a call that was cut may
     * make it anew, the deletion is answered once that can come no more.
     */
    public void verifyDeletion(String name) {
        if (delete(name).code() == Code.UNAVAILABLE) {
            controllers.wait(LateCalls.LONGEST.plusSeconds(1));
        }
        for (int i = 0; i < 2; i++) {
            Answer<String> deleted = delete(name);
            assertThat(deleted.code()).as(deleted.message()).isEqualTo(Code.OK);
        }
        assertThat(box.rows()).isEqualTo(before);
    }

    @Override
    public void close() {
        controller.close();
        box.close();
    }
}
