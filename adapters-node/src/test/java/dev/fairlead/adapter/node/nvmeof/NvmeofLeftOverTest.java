package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known, after a restart of the process, of connections of which the journal has no volume. */
class NvmeofLeftOverTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final String HANDLE = "v:1";
    private static final Attachment.Nvmeof VOLUME = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 1);
    private static final String LATE = "transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN;

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    private ScriptedKernel kernel;

    @BeforeEach
    void a_subsystem_with_two_namespaces() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2));
    }

    @AfterEach
    void end() {
        kernel.close();
    }

    private void attach() {
        kernel.stage(HANDLE, VOLUME);
        AttachCalls.device(kernel.attacher(), VOLUME, Map.of());
    }

    /** Returns what a new process knows. */
    private OwnSessions sessions() {
        return kernel.attacher().sessions();
    }

    private void lose() {
        kernel.journal.remove(HANDLE, work);
    }

    private String block(int nsid) {
        return kernel.sysfs().namespaces(NQN, nsid).getFirst().block();
    }

    @Test
    void a_connection_whose_journal_was_lost_is_left_over_and_ended() {
        attach();
        assertThat(sessions().leftOver(work)).isEmpty();
        lose();

        assertThat(sessions().leftOver(work)).containsExactly(NQN);
        assertThat(kernel.disconnected).isEmpty();
        assertThat(sessions().endUnlessUsed(NQN, work)).isEmpty();

        assertThat(kernel.disconnected).containsExactly(NQN);
        assertThat(kernel.sysfs().controllers(NQN)).isEmpty();
        assertThat(sessions().leftOver(work)).isEmpty();
    }

    @Test
    void a_connection_that_comes_after_a_restart_and_the_unstaging_is_left_over() throws IOException {
        kernel.late = Duration.ofHours(1);
        kernel.refusing.add("10.0.0.1"); // as the process dies, and its kernel goes on connecting
        kernel.stage(HANDLE, VOLUME);
        assertThat(failure(() -> AttachCalls.device(kernel.attacher(), VOLUME, Map.of())))
                .isInstanceOf(Failure.class);
        NvmeofAttacher after = kernel.attacher();
        after.detach(VOLUME, Map.of(), work);
        lose();
        assertThat(after.sessions().leftOver(work)).isEmpty();

        kernel.refusing.clear();
        kernel.connect(LATE);

        assertThat(after.sessions().leftOver(work)).containsExactly(NQN);
        assertThat(after.sessions().endUnlessUsed(NQN, work)).isEmpty();
        assertThat(kernel.sysfs().controllers(NQN)).isEmpty();
    }

    @Test
    void what_an_administrator_connects_is_never_left_over() throws IOException {
        kernel.connect(LATE);
        assertThat(sessions().leftOver(work)).isEmpty();
        attach();
        kernel.attacher().detach(VOLUME, Map.of(), work);
        lose();

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(NQN, work)).isEmpty();

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_note_without_a_connection_goes_so_that_what_somebody_connects_later_is_not_taken_for_this_drivers()
            throws IOException {
        attach();
        lose();
        kernel.disconnect(kernel.sysfs().controllers(NQN).getFirst().folder());
        assertThat(sessions().leftOver(work)).isEmpty();

        kernel.connect(LATE);

        assertThat(sessions().leftOver(work)).isEmpty();
    }

    @Test
    void a_mount_keeps_its_connection_and_needs_not_be_told() {
        attach();
        lose();
        Path place = Path.of("/mnt/one");
        kernel.mounts.existing(place);
        kernel.mounts.mount(Filesystem.of("ext4", "/dev/" + block(1), List.of()), place, work);

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(NQN, work)).contains("a mount at /mnt/one");
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void what_is_made_of_a_device_keeps_its_connection() throws IOException {
        attach();
        lose();
        kernel.hold(block(2), "dm-5", "LVM-x");

        assertThat(sessions().leftOver(work)).containsExactly(NQN);
        assertThat(sessions().endUnlessUsed(NQN, work).orElse("")).contains("dm-5");

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_connection_that_was_let_stay_for_another_is_not_ended_when_that_one_cannot_be_seen_any_more()
            throws IOException {
        attach();
        kernel.hold(block(2), "dm-5", "LVM-x");
        kernel.attacher().detach(VOLUME, Map.of(), work);
        lose();
        BlockHolders.release(kernel.root, block(2), "dm-5"); // as somebody who writes to it by dd next

        assertThat(sessions().leftOver(work)).isEmpty();

        attach();
        kernel.attacher().detach(VOLUME, Map.of(), work);
        assertThat(kernel.disconnected).as("by the next volume").containsExactly(NQN);
    }

    @Test
    void nothing_is_left_over_while_the_journal_cannot_be_read() {
        attach();
        kernel.journal.spoil(HANDLE);

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(NQN, work)).isEmpty();
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_note_of_an_earlier_start_of_the_node_is_of_nothing_that_is_there_now() throws IOException {
        attach();
        lose();
        Files.writeString(kernel.root.resolve("boot_id"), "two\n");

        assertThat(sessions().leftOver(work)).isEmpty();
    }
}
