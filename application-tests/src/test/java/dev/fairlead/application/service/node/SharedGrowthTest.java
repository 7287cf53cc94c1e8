package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.node.SharedTargetNode.staging;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a device grows that several volumes of a node have, and that must not grow below a mounted file system. */
class SharedGrowthTest {
    private static final Path DEVICE = FakeTargets.device("one");
    private static final String FIRST = "v:nas/a";
    private static final String SECOND = "v:nas/b";
    private static final long SIZE = 1L << 30;

    private final SharedTargetNode node = new SharedTargetNode();
    private final ProtocolNode on = node.on;
    private final List<String> grown = new ArrayList<>();

    private NodeUseCases process = node.node;

    @BeforeEach
    void a_node_that_grows_its_storage() {
        on.targets.growUnmountedOnly();
        on.targets.linked(DEVICE);
        on.growing((handle, range, _) -> {
            grown.add(handle + " to " + range.required().orElseThrow().bytes());
            return Optional.empty();
        });
        process = on.process(node.locks);
    }

    private void stage(String handle) {
        node.stage(process, handle, TestVolumes.MOUNT, TestWork.patient());
    }

    private void unstage(String handle) {
        process.unstageVolume().unstage(handle, staging(handle), node.work);
    }

    private void want(String handle, long size) {
        CapacityRange range = CapacityRange.of(size, 0);
        Failing.with(
                Failure.InUse.class, () -> process.growFilesystem().grow(handle, staging(handle), range, node.work));
    }

    @Test
    void it_grows_by_the_volume_that_wanted_it_once_the_last_one_is_unstaged() {
        stage(FIRST);
        stage(SECOND);
        want(FIRST, 2 * SIZE);

        unstage(FIRST);
        assertThat(grown).as("while the other one has it mounted").isEmpty();
        unstage(SECOND);

        assertThat(grown).containsExactly(FIRST + " to " + 2 * SIZE);
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void of_two_sizes_that_are_wanted_the_larger_one_counts() {
        stage(FIRST);
        stage(SECOND);
        want(FIRST, 2 * SIZE);
        want(SECOND, 3 * SIZE);

        unstage(FIRST);
        unstage(SECOND);

        assertThat(grown).containsExactly(SECOND + " to " + 3 * SIZE);
    }

    @Test
    void a_smaller_size_takes_nothing_from_what_was_handed_over() {
        stage(FIRST);
        stage(SECOND);
        want(FIRST, 3 * SIZE);
        unstage(FIRST);

        want(SECOND, 2 * SIZE);
        unstage(SECOND);

        assertThat(grown).containsExactly(FIRST + " to " + 3 * SIZE);
    }

    @Test
    void a_wish_that_was_handed_over_outlives_a_repeated_stage_of_the_other_volume() {
        stage(FIRST);
        stage(SECOND);
        want(FIRST, 2 * SIZE);
        unstage(FIRST);

        stage(SECOND);
        unstage(SECOND);

        assertThat(grown).containsExactly(FIRST + " to " + 2 * SIZE);
    }
}
