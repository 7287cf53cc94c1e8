package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.NodeFixture.HANDLE;
import static dev.fairlead.application.service.NodeFixture.POD_A;
import static dev.fairlead.application.service.NodeFixture.POD_B;
import static dev.fairlead.application.service.NodeFixture.STAGING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.NodeFixture;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node tells of a volume's usage, and how it grows. */
class NodeSizeTest {
    private final NodeFixture on = new NodeFixture();

    @Test
    void usage_is_told_only_of_a_path_where_this_volume_is() {
        on.stage();
        on.publish(POD_A, TestVolumes.MOUNT, false);

        assertThat(on.node.measureVolume().measure(HANDLE, POD_A, on.work).totalBytes())
                .isPositive();
        Failing.with(Failure.NotMounted.class, () -> on.node.measureVolume().measure(HANDLE, POD_B, on.work));
        Failing.with(
                Failure.NotMounted.class, () -> on.node.measureVolume().measure(HANDLE, Path.of("some/path"), on.work));
        Failing.with(Failure.NotMounted.class, () -> on.node.measureVolume().measure("v:nas/pvc-2", POD_A, on.work));
        Failing.with(Failure.VolumeNotFound.class, () -> on.node.measureVolume().measure("nonsense", POD_A, on.work));
    }

    @Test
    void a_node_without_storage_verifies_the_path_and_leaves_the_size_to_the_controller() {
        on.stage();
        on.publish(POD_A, TestVolumes.MOUNT, false);

        assertThat(on.node.growFilesystem().grow(HANDLE, POD_A, CapacityRange.of(1, 0), on.work))
                .isEmpty();
        Failing.with(
                Failure.NotMounted.class,
                () -> on.node.growFilesystem().grow(HANDLE, POD_B, CapacityRange.of(1, 0), on.work));
    }

    @Test
    void a_node_with_its_storage_in_the_same_process_lets_it_grow() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        try (ControllerFixture controller = ControllerFixture.proxy().with(nas)) {
            controller.create("pvc-1", "nas");
            on.stage();
            NodeUseCases all = on.node(UseCases.growthBy(controller.useCases.expandVolume()));

            Optional<Capacity> grown =
                    all.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(1L << 30, 0), on.work);

            assertThat(grown).contains(Capacity.ofGibibytes(1));
            assertThat(nas.volume(TestVolumes.id("pvc-1")).volume().capacity()).isEqualTo(grown);
        }
    }

    @Test
    void what_is_a_node_s_own_is_left_to_it_by_every_controller_and_grown_there() {
        InMemoryStorage nas = InMemoryStorage.named("nas");
        try (ControllerFixture here = ControllerFixture.proxy().with(nas, ControllerFixture.onItsNode());
                ControllerFixture elsewhere =
                        ControllerFixture.proxy().with(InMemoryStorage.named("nas"), ControllerFixture.onItsNode())) {
            here.create("pvc-1", "nas");
            on.stage();
            CapacityRange range = CapacityRange.of(1L << 30, 0);
            String before = nas.dump();

            var answers = List.of(
                    here.useCases.expandVolume().expand(HANDLE, range, on.work),
                    elsewhere.useCases.expandVolume().expand(HANDLE, range, on.work));

            assertThat(answers).containsOnly(new ExpandVolume.Result(Capacity.ofGibibytes(1), true));
            assertThat(nas.dump()).isEqualTo(before);
            assertThat(on.node(UseCases.growthBy(here.useCases.expandVolume()))
                            .growFilesystem()
                            .grow(HANDLE, STAGING, range, on.work))
                    .contains(Capacity.ofGibibytes(1));
            assertThat(nas.volume(TestVolumes.id("pvc-1")).volume().capacity()).contains(Capacity.ofGibibytes(1));
        }
    }
}
