package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeJournal;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attaches a namespace of another machine, from which no packet comes any more; {@code FAIRLEAD_NVMEOF} names the way
 * to it and its subsystem, such as {@code tcp://stor:4420,nqn.2026-11.test.lab:stor}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_NVMEOF", matches = "tcp://.+:[0-9]+,nqn.+")
class SilentTargetTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String[] words = Optional.ofNullable(System.getenv("FAIRLEAD_NVMEOF"))
            .orElse("tcp://none:1,nqn")
            .split(",", -1);
    private final KernelNode node = KernelNode.of(PATIENCE);
    private final NvmeofSysfs sysfs = new NvmeofSysfs(Path.of("/sys"));

    @TempDir
    private Path folder = Path.of("/nonexistent");

    private void route(String verb) throws IOException, InterruptedException {
        String host = words[0].replaceFirst("tcp://(.*):[0-9]+", "$1");
        String address = InetAddress.getAllByName(host)[0].getHostAddress();
        assertThat(new ProcessBuilder("ip", "route", verb, "blackhole", address)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void a_target_that_falls_silent_holds_up_detaching_no_longer_than_its_deadline() throws Exception {
        var volume = new Attachment.Nvmeof(words[0], List.of(), words[1], 1);
        NvmeofAttacher attacher = NvmeofModule.attacher(
                node.mounter(), new FakeJournal(), node.threads(), node.programs(), node.settings(folder), PATIENCE);
        assertThat(AttachCalls.device(attacher, volume, Map.of())).exists();

        route("add");
        long start = System.nanoTime();
        try {
            attacher.detach(volume, Map.of(), TestWork.patient());
        } catch (StorageException e) {
            System.out.println(e.failure().message());
        } finally {
            System.out.println("detached in " + (System.nanoTime() - start) / 1_000_000 + " ms");
            route("del");
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.plusSeconds(5));
        for (int i = 0; i < 600 && !sysfs.controllers(words[1]).isEmpty(); i++) {
            Thread.sleep(100);
        }
        assertThat(sysfs.controllers(words[1])).isEmpty();
    }
}
