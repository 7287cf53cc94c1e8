package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of connections that the kernel makes later than anybody waits for them. */
class NvmeofLateConnectionsTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final String DEAD = "10.0.0.1";
    private static final Attachment.Nvmeof VOLUME = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 1);
    private static final Attachment.Nvmeof OTHER =
            new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of("tcp://10.0.0.2:4420"), NQN, 2);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final CountDownLatch answer = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private ScriptedKernel kernel;
    private NvmeofAttacher attacher;

    @BeforeEach
    void a_portal_that_does_not_answer_the_kernel() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2));
        kernel.hanging.put(DEAD, answer);
        attacher = kernel.attacher();
    }

    @AfterEach
    void let_everything_go() {
        answer.countDown();
        settled();
        kernel.close();
    }

    private Attached attach(Attachment.Nvmeof volume, Duration left) {
        kernel.stage("v:" + volume.nsid(), volume);
        return AttachCalls.raw(
                attacher,
                "v:" + volume.nsid(),
                volume,
                Map.of(),
                TestWork.patient().left(left));
    }

    private void unstage(Attachment.Nvmeof volume) {
        attacher.detach(volume, Map.of(), TestWork.patient());
        kernel.journal.remove("v:" + volume.nsid(), TestWork.patient());
    }

    @Test
    void a_repeated_call_joins_the_connection_that_is_being_made() {
        assertThat(failure(() -> attach(VOLUME, SOON))).isInstanceOf(Failure.BackendUnavailable.class);

        CompletableFuture<Failure> again = CompletableFuture.supplyAsync(() -> failure(() -> attach(VOLUME, SOON)));

        assertThat(again).succeedsWithin(Duration.ofSeconds(10)).isInstanceOf(Failure.BackendUnavailable.class);
        answer.countDown();
        assertThat(attach(VOLUME, Duration.ofSeconds(20))).isInstanceOf(Attached.Device.class);
        assertThat(kernel.begun).hasSize(1);
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_connection_that_comes_after_its_volume_was_unstaged_is_ended() throws InterruptedException {
        assertThat(failure(() -> attach(VOLUME, SOON))).isInstanceOf(Failure.BackendUnavailable.class);
        unstage(VOLUME);

        answer.countDown();

        assertThat(kernel.disconnected.poll(20, TimeUnit.SECONDS)).isEqualTo(NQN);
        assertThat(kernel.connected).hasSize(1);
    }

    @Test
    void a_connection_that_comes_late_stays_while_another_volume_of_its_subsystem_is_there() {
        assertThat(failure(() -> attach(VOLUME, SOON))).isInstanceOf(Failure.BackendUnavailable.class);
        attach(OTHER, SOON);
        unstage(VOLUME);

        answer.countDown();
        settled();

        assertThat(kernel.disconnected).isEmpty();
        assertThat(attach(OTHER, Duration.ofSeconds(20))).isInstanceOf(Attached.Device.class);
        assertThat(kernel.begun).hasSize(2);
    }

    @Test
    void an_error_of_the_program_ends_its_attempt_and_the_next_call_begins_another() {
        kernel.hanging.clear();
        kernel.defects.add(new AssertionError("a defect"));
        long start = System.nanoTime();
        assertThatThrownBy(() -> attach(VOLUME, Duration.ofSeconds(20))).isInstanceOf(IllegalStateException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));

        assertThat(attach(VOLUME, Duration.ofSeconds(20))).isInstanceOf(Attached.Device.class);
        assertThat(kernel.begun).hasSize(2);
    }

    @Test
    void connections_stay_for_what_is_made_of_another_namespace_below_a_map_of_its_own() throws Exception {
        kernel.multipath = false;
        kernel.hanging.put("10.0.0.3", answer);
        Attachment.Nvmeof volume = new Attachment.Nvmeof("tcp://10.0.0.2:4420", List.of("tcp://10.0.0.3:4420"), NQN, 1);
        attach(volume, SOON);
        kernel.hold(block(1), "dm-0", "mpath-a");
        kernel.hold(block(2), "dm-1", "mpath-b");
        kernel.hold("dm-1", "dm-5", "LVM-x");
        unstage(volume);

        answer.countDown();
        settled();

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void an_attempt_that_fails_ends_no_connection_that_was_let_stay() throws Exception {
        kernel.hanging.put("10.0.0.3", answer);
        kernel.refusing.add("10.0.0.3");
        Attachment.Nvmeof volume = new Attachment.Nvmeof("tcp://10.0.0.2:4420", List.of("tcp://10.0.0.3:4420"), NQN, 1);
        attach(volume, SOON);
        kernel.hold(block(2), "dm-5", "LVM-x");
        unstage(volume);
        BlockHolders.release(kernel.root, block(2), "dm-5"); // as somebody who writes to it by dd next

        answer.countDown();
        settled();

        assertThat(kernel.disconnected).isEmpty();
    }

    private String block(int nsid) {
        return kernel.sysfs().namespaces(NQN, nsid).getFirst().block();
    }

    private void settled() {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (kernel.attempts.count(NQN) > 0) {
            assertThat(System.nanoTime()).as("the end of all attempts").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void a_way_that_hangs_costs_its_time_once() {
        assertThat(attach(OTHER, SOON)).isInstanceOf(Attached.Device.class);

        long start = System.nanoTime();
        assertThat(attach(OTHER, Duration.ofSeconds(20))).isInstanceOf(Attached.Device.class);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        assertThat(kernel.begun).hasSize(2);
    }
}
