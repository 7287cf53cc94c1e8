package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of the kernel's device for connecting, which takes one connection at a time; a full pipe plays it. */
class FabricsDeviceTest {
    private static final int PIPE = 1 << 16;
    private static final String SLOW = "nqn.2026-11.test.lab:slow";
    private static final String BEHIND = "nqn.2026-11.test.lab:behind";

    @TempDir
    private Path folder;

    private ScriptedKernel kernel;
    private NvmeofAttacher attacher;
    private RandomAccessFile pipe;

    @BeforeEach
    void a_kernel_that_takes_no_connection_yet() throws IOException, InterruptedException {
        kernel = new ScriptedKernel(folder.toRealPath());
        Path device = kernel.root.resolve("dev/nvme-fabrics");
        assertThat(new ProcessBuilder("mkfifo", device.toString()).start().waitFor())
                .isZero();
        pipe = new RandomAccessFile(device.toFile(), "rw");
        pipe.write(new byte[PIPE]);
        kernel.fabrics = new FabricsDevice(device, MountSandbox.threads(), kernel);
        attacher = kernel.attacher();
    }

    @AfterEach
    void it_takes_all() throws IOException {
        pipe.readFully(new byte[PIPE]);
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (kernel.attempts.count(SLOW) + kernel.attempts.count(BEHIND) > 0) {
            assertThat(System.nanoTime()).as("the end of all attempts").isLessThan(end);
            Thread.onSpinWait();
        }
        pipe.close();
        kernel.close();
    }

    private String trouble(String nqn) {
        var volume = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), nqn, 1);
        kernel.stage(nqn, volume);
        TestWork soon = TestWork.patient().left(Duration.ofMillis(300));
        return failure(() -> AttachCalls.raw(attacher, nqn, volume, Map.of(), soon))
                .message();
    }

    @Test
    void who_waits_is_told_for_whom() {
        assertThat(trouble(SLOW)).contains("is still at it");

        assertThat(trouble(BEHIND)).contains("is still connecting to " + SLOW + " by tcp://10.0.0.1:4420");
    }
}
