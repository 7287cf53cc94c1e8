package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.application.port.in.Source;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.ControllerProcess;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A parent that is not known any more by its mark, or its guid: nothing is done below it but to shut nodes out. */
class LostMarkTest {
    private static final String DATASET = "tank/v/pvc-1";
    private static final VolumeCapability MANY = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    private static final String MANAGED = "democratic-csi:managed_resource";

    private final ZfsWorld world =
            ZfsWorld.shared("nfs", "sharenfs", Map.of()).closed().marked("west");
    private final ZfsWorld unmarked =
            ZfsWorld.shared("nfs", "sharenfs", Map.of()).closed();

    private static String node(int number) {
        return "n=node-" + number + "/a=198.51.100." + number;
    }

    private static void publish(ControllerProcess process, String handle, int node) {
        process.useCases()
                .publishVolume()
                .publish(new PublishVolume.Command(handle, node(node), MANY, false), TestWork.patient());
    }

    private static void unpublish(ControllerProcess process, String handle, Optional<String> node) {
        process.useCases().unpublishVolume().unpublish(handle, node, TestWork.patient());
    }

    private void mark(String mark) {
        world.pool().play(List.of("zfs", "set", "dev.fairlead:parent=" + mark, "tank/v"));
    }

    @Test
    void nodes_are_shut_out_of_what_is_there_unless_it_is_anothers_and_no_volume_is_taken_for_gone() {
        mark("west");
        try (ControllerProcess process = world.open()) {
            String handle = make(process);
            publish(process, handle, 1);
            publish(process, handle, 2);
            mark("another");
            Map<String, String> before = world.pool().own(DATASET);

            Failing.with(Failure.BackendUnavailable.class, () -> unpublish(process, handle, Optional.of(node(1))));
            assertThat(world.pool().own(DATASET)).isEqualTo(before);

            world.pool().play(List.of("zfs", "inherit", "dev.fairlead:parent", "tank/v"));
            Failing.with(Failure.BackendUnavailable.class, () -> publish(process, handle, 3));
            unpublish(process, handle, Optional.of(node(1)));
            assertThat(world.pool().own(DATASET).get("sharenfs"))
                    .contains("198.51.100.2")
                    .doesNotContain("198.51.100.1");
            unpublish(process, handle, Optional.empty());
            assertThat(world.pool().own(DATASET)).containsEntry("sharenfs", "off");

            world.pool().remove(DATASET);
            Failing.with(Failure.BackendUnavailable.class, () -> unpublish(process, handle, Optional.empty()));
        }
    }

    private static String make(ControllerProcess process) {
        return process.useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName("pvc-1"),
                                TestVolumes.atLeast(TestVolumes.SIZE),
                                List.of(MANY),
                                ControllerProcess.ON_NAS,
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        TestWork.patient())
                .handle();
    }

    /** Puts another pool in the place of this one, which has a dataset of the volume's name. */
    private void replacePool(Map<String, String> properties) {
        unmarked.pool().export();
        unmarked.pool().put("tank", "filesystem", Map.of());
        unmarked.pool().put("tank/v", "filesystem", Map.of());
        unmarked.pool().put(DATASET, "filesystem", properties);
    }

    @Test
    void nodes_are_shut_out_of_a_copy_of_the_volume_below_a_parent_of_another_guid() {
        try (ControllerProcess process = unmarked.open()) {
            String handle = make(process);
            publish(process, handle, 1);
            publish(process, handle, 2);
            replacePool(unmarked.pool().own(DATASET));

            Failing.with(Failure.BackendUnavailable.class, () -> publish(process, handle, 3));
            unpublish(process, handle, Optional.of(node(1)));
            assertThat(unmarked.pool().own(DATASET).get("sharenfs"))
                    .contains("198.51.100.2")
                    .doesNotContain("198.51.100.1");
            unpublish(process, handle, Optional.empty());
            assertThat(unmarked.pool().own(DATASET)).containsEntry("sharenfs", "off");

            unmarked.pool().remove(DATASET);
            Failing.with(Failure.BackendUnavailable.class, () -> unpublish(process, handle, Optional.empty()));
        }
    }

    @Test
    void what_is_not_a_volume_of_ours_is_left_alone_below_a_parent_of_another_guid() {
        try (ControllerProcess process = unmarked.open()) {
            String handle = make(process);
            publish(process, handle, 1);
            Map<String, String> own = new HashMap<>(unmarked.pool().own(DATASET));
            own.remove(MANAGED);
            replacePool(own);
            Map<String, String> before = unmarked.pool().own(DATASET);

            Failing.with(Failure.BackendUnavailable.class, () -> unpublish(process, handle, Optional.of(node(1))));
            unmarked.pool().play(List.of("zfs", "set", MANAGED + "=true", "tank/v")); // for all below, which it is not
            Failing.with(Failure.BackendUnavailable.class, () -> unpublish(process, handle, Optional.of(node(1))));

            assertThat(unmarked.pool().own(DATASET)).isEqualTo(before);
        }
    }
}
