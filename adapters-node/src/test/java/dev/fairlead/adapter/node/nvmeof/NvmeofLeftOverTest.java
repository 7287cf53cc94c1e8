package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
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
import java.util.stream.Stream;
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

    private static final Map<String, String> TOLD = Map.of(NQN, "nvme disconnect -n " + NQN);

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

    /** Returns what a new process tells. */
    private Map<String, String> leftOver() {
        return leftOver(kernel.attacher());
    }

    private Map<String, String> leftOver(NvmeofAttacher process) {
        return process.sessions().leftOver(kernel.journal.inventory(), work);
    }

    private void lose() {
        kernel.journal.remove(HANDLE, work);
    }

    private String block(int nsid) {
        return kernel.sysfs().namespaces(NQN, nsid).getFirst().block();
    }

    /** Lets a process die in an attachment, and its connection come about after another has unstaged the volume. */
    private NvmeofAttacher comesLate() throws IOException {
        kernel.late = Duration.ofHours(1);
        kernel.refusing.add("10.0.0.1"); // as the process dies, and its kernel goes on connecting
        kernel.stage(HANDLE, VOLUME);
        assertThat(failure(() -> AttachCalls.device(kernel.attacher(), VOLUME, Map.of())))
                .isInstanceOf(Failure.class);
        NvmeofAttacher after = kernel.attacher();
        after.detach(VOLUME, Map.of(), work);
        lose();
        assertThat(leftOver(after)).isEmpty();
        kernel.refusing.clear();
        kernel.connect(LATE);
        return after;
    }

    @Test
    void a_connection_whose_journal_was_lost_is_told_with_what_ends_it_and_stays() {
        attach();
        assertThat(leftOver()).isEmpty();
        lose();

        assertThat(leftOver()).isEqualTo(TOLD);

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_connection_that_comes_after_a_restart_and_the_unstaging_is_ended() throws IOException {
        assertThat(leftOver(comesLate())).isEmpty();

        assertThat(kernel.disconnected).containsExactly(NQN);
        assertThat(kernel.sysfs().controllers(NQN)).isEmpty();
    }

    @Test
    void a_connection_that_comes_late_and_is_used_is_told() throws IOException {
        NvmeofAttacher after = comesLate();
        kernel.hold(block(2), "dm-5", "LVM-x");

        assertThat(leftOver(after)).isEqualTo(TOLD);

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_connection_that_comes_late_stays_while_the_journal_cannot_be_read() throws IOException {
        NvmeofAttacher after = comesLate();
        StageJournal.Inventory readable = kernel.journal.inventory();
        kernel.stage("v:2", VOLUME);
        kernel.journal.spoil("v:2");

        assertThat(after.sessions().leftOver(readable, work)).isEmpty();

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_connection_that_comes_late_and_is_attached_then_is_only_told_from_then_on() throws IOException {
        NvmeofAttacher after = comesLate();
        kernel.stage(HANDLE, VOLUME);
        AttachCalls.device(after, VOLUME, Map.of());
        lose();

        assertThat(leftOver(after)).isEqualTo(TOLD);

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_note_of_an_older_version_is_told_only() throws IOException {
        comesLate();
        try (Stream<Path> notes = Files.list(kernel.root.resolve("journal"))) {
            Path note = notes.filter(it -> it.getFileName().toString().matches("nvme-.{36}"))
                    .findFirst()
                    .orElseThrow();
            Files.writeString(note, "one " + NQN + "\n");
        }

        assertThat(leftOver()).isEqualTo(TOLD);

        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void what_an_administrator_connects_is_never_left_over() throws IOException {
        kernel.connect(LATE);
        assertThat(leftOver()).isEmpty();
        attach();
        kernel.attacher().detach(VOLUME, Map.of(), work);
        lose();

        assertThat(leftOver()).isEmpty();
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void a_note_without_a_connection_goes_so_that_what_somebody_connects_later_is_not_taken_for_this_drivers()
            throws IOException {
        attach();
        lose();
        kernel.disconnect(kernel.sysfs().controllers(NQN).getFirst().folder());
        assertThat(leftOver()).isEmpty();

        kernel.connect(LATE);

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_mount_needs_not_be_told() {
        attach();
        lose();
        Path place = Path.of("/mnt/one");
        kernel.mounts.existing(place);
        kernel.mounts.mount(Filesystem.of("ext4", "/dev/" + block(1), List.of()), place, work);

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_connection_that_was_let_stay_for_another_is_not_told_and_ends_with_the_next_volume() throws IOException {
        attach();
        kernel.hold(block(2), "dm-5", "LVM-x");
        kernel.attacher().detach(VOLUME, Map.of(), work);
        lose();
        BlockHolders.release(kernel.root, block(2), "dm-5"); // as somebody who writes to it by dd next

        assertThat(leftOver()).isEmpty();

        attach();
        kernel.attacher().detach(VOLUME, Map.of(), work);
        assertThat(kernel.disconnected).containsExactly(NQN);
    }

    @Test
    void a_note_of_an_earlier_start_of_the_node_is_of_nothing_that_is_there_now() throws IOException {
        attach();
        lose();
        Files.writeString(kernel.root.resolve("boot_id"), "two\n");

        assertThat(leftOver()).isEmpty();
    }
}
