package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A namespace with two devices, since the kernel does not join them, and the map that multipathd makes of them. */
class NvmeofMultipathTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final Attachment.Nvmeof VOLUME =
            new Attachment.Nvmeof("tcp://10.0.0.1", List.of("tcp://10.0.0.2"), NQN, 1);

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    private NvmeofAttacher attacher;

    @BeforeEach
    void aMapOverTwoPaths() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2));
        kernel.multipath = false;
        attacher = kernel.attacher();
        assertThat(failure(this::attach).message()).contains("multipathd");
        for (NvmeofSysfs.Namespace path : kernel.sysfs().namespaces(NQN, 1)) {
            kernel.hold(path.block(), "dm-0", "mpath-uuid.x");
        }
    }

    private Path attach() {
        Attached attached = AttachCalls.attach(attacher, VOLUME, TestVolumes.BLOCK, Map.of());
        return ((Attached.Device) attached).path();
    }

    private void detach() {
        attacher.detach(VOLUME, Map.of(), TestWork.patient());
    }

    @Test
    void the_map_is_used_and_taken_away() {
        assertThat(attach()).hasFileName("dm-0");
        detach();

        assertThat(kernel.commands).containsExactly("multipath -f dm-0-name");
        assertThat(kernel.sysfs().controllers(NQN)).isEmpty();
    }

    @Test
    void the_map_grows_with_its_paths_once() {
        var _ = attach();
        kernel.size = "4096";

        attacher.rescan(VOLUME, TestWork.patient());
        attacher.rescan(VOLUME, TestWork.patient());

        assertThat(kernel.commands).containsExactly("multipathd resize map dm-0-name");
    }

    @Test
    void a_map_whose_paths_have_grown_meanwhile_is_grown_as_it_is_attached() {
        var _ = attach();
        kernel.size = "4096";

        assertThat(attach()).hasFileName("dm-0");

        assertThat(kernel.commands).containsExactly("multipathd resize map dm-0-name");
    }

    @Test
    void a_program_that_hangs_in_the_kernel_is_left_behind_and_no_second_one_is_begun() {
        var _ = attach();
        kernel.answering = new CountDownLatch(1);

        CompletableFuture<Failure> first = CompletableFuture.supplyAsync(() -> failure(this::detach));

        assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isInstanceOf(Failure.NodeFault.class);
        assertThat(failure(this::detach).message()).contains("still hangs");
        assertThat(kernel.commands).containsExactly("multipath -f dm-0-name");
        kernel.answering.countDown();
    }
}
