package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
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

    /** Detaches; returns why the kernel has not done it, if it has not. */
    private static Optional<Failure> detached(NvmeofAttacher attacher, Attachment.Nvmeof volume) {
        try {
            attacher.detach(volume, Map.of(), TestWork.patient());
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.failure());
        }
    }

    /** The kernel is asked before it has noticed, so it waits for an answer: the call does not. */
    @Test
    void a_target_that_falls_silent_holds_up_detaching_no_longer_than_its_deadline_and_the_next_call_finds_it_done()
            throws Exception {
        var volume = new Attachment.Nvmeof(words[0], List.of(), words[1], 1);
        NvmeofAttacher attacher = NvmeofModule.attacher(
                node.mounter(), new FakeJournal(), node.threads(), node.programs(), node.settings(folder), PATIENCE);
        assertThat(AttachCalls.device(attacher, volume, Map.of())).exists();
        Optional<Failure> failure;
        Duration took;
        boolean connected;

        route("add");
        try {
            long start = System.nanoTime();
            failure = detached(attacher, volume);
            took = Duration.ofNanos(System.nanoTime() - start);
            connected = !sysfs.controllers(words[1]).isEmpty();
        } finally {
            route("del");
        }

        System.out.println("detached in " + took.toMillis() + " ms: " + failure.map(Failure::message));
        assertThat(took).isLessThan(PATIENCE.plusSeconds(5));
        assertThat(failure.isPresent()).as("it tells what is still connected").isEqualTo(connected);
        failure.ifPresent(it -> {
            assertThat(it.code()).isEqualTo("FL-NODE-005");
            assertThat(it.message()).contains("within").containsAnyOf(words[1], "nvme");
        });
        awaitGone();
        assertThat(detached(attacher, volume)).as("the repeated call").isEmpty();
        assertThat(sysfs.controllers(words[1])).isEmpty();
    }

    /** Waits until the kernel, which goes on by itself, has ended the connection. */
    private void awaitGone() throws InterruptedException {
        for (int i = 0; i < 600 && !sysfs.controllers(words[1]).isEmpty(); i++) {
            Thread.sleep(100);
        }
        assertThat(sysfs.controllers(words[1])).isEmpty();
    }
}
