package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What sysfs says of the ways to a namespace, when controllers lose their connection or go. */
class NvmeofPathsTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final Attachment.Nvmeof BOTH =
            new Attachment.Nvmeof("tcp://10.0.0.1", List.of("tcp://10.0.0.2"), NQN, 1);

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    private NvmeofAttacher attacher;

    @BeforeEach
    void attachedByBothWays() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1));
        attacher = kernel.attacher();
        var _ = AttachCalls.device(attacher, BOTH, Map.of());
    }

    private Path controller(String address) {
        return kernel.sysfs().controllers(NQN).stream()
                .filter(it -> it.address("traddr").equals(address))
                .map(Controller::folder)
                .findFirst()
                .orElseThrow();
    }

    private List<VolumePath> paths() {
        return attacher.paths(BOTH, TestWork.patient());
    }

    private List<String> lost() {
        return paths().stream()
                .filter(it -> !it.usable())
                .map(VolumePath::toString)
                .toList();
    }

    @Test
    void each_live_controller_is_a_way() {
        assertThat(paths())
                .extracting(VolumePath::name)
                .containsExactlyInAnyOrder("tcp://10.0.0.1:4420", "tcp://10.0.0.2:4420");
        assertThat(lost()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"connecting", "resetting", "deleting", "deleting (no IO)", "dead"})
    void a_controller_that_is_not_live_is_a_lost_way(String state) throws IOException {
        Files.writeString(controller("10.0.0.2").resolve("state"), state + "\n");

        assertThat(lost())
                .singleElement()
                .asString()
                .startsWith("tcp://10.0.0.2:4420 (nvme")
                .endsWith(state + ")");
    }

    @Test
    void a_way_that_the_kernel_has_given_up_is_a_lost_way() throws IOException {
        kernel.disconnect(controller("10.0.0.2"));

        assertThat(lost()).containsExactly("tcp://10.0.0.2:4420 (no controller)");
    }

    @Test
    void a_namespace_that_is_gone_leaves_no_way() throws IOException {
        assertThat(attacher.paths(
                        new Attachment.Nvmeof(BOTH.transport(), BOTH.transports(), NQN, 2), TestWork.patient()))
                .hasSize(2)
                .allSatisfy(it -> assertThat(it.state()).contains("shows no namespace 2"))
                .noneMatch(VolumePath::usable);
    }

    @Test
    void a_controller_that_may_not_reach_the_namespace_is_a_lost_way() throws IOException {
        Path own = Files.createDirectories(controller("10.0.0.1").resolve("nvme0c0n1"));
        Files.writeString(own.resolve("nsid"), "1\n");
        Files.writeString(own.resolve("ana_state"), "inaccessible\n");

        assertThat(lost()).singleElement().asString().contains("live, ANA inaccessible");
    }

    @Test
    void a_volume_without_a_controller_has_its_transports_as_lost_ways() throws IOException {
        kernel.disconnect(controller("10.0.0.1"));
        kernel.disconnect(controller("10.0.0.2"));

        assertThat(paths()).hasSize(2).noneMatch(VolumePath::usable);
    }
}
