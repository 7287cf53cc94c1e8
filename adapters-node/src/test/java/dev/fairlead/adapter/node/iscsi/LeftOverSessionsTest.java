package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known, after a restart of the process, of sessions of which the journal has no volume. */
class LeftOverSessionsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String HANDLE = "v:1";
    private static final String PORTAL = "10.0.0.1:3260";
    private static final Attachment.Iscsi VOLUME = new Attachment.Iscsi(PORTAL, List.of(), "", IQN, 0);

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedInitiator node;

    @BeforeEach
    void a_target_with_two_luns() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
    }

    private void attach(Attachment.Iscsi volume) {
        node.journal.stage(HANDLE, volume, Map.of());
        AttachCalls.device(node.attacher(), volume, Map.of());
    }

    /** Returns what a new process knows. */
    private OwnSessions sessions() {
        return node.attacher().sessions();
    }

    private void lose() {
        node.journal.remove(HANDLE, work);
    }

    private List<Path> present() {
        return node.files("sys/class/iscsi_session");
    }

    @Test
    void a_session_whose_journal_was_lost_is_left_over_and_ended() {
        attach(VOLUME);
        assertThat(sessions().leftOver(work)).isEmpty();
        lose();

        assertThat(sessions().leftOver(work)).containsExactly(IQN);
        assertThat(present()).isNotEmpty();
        assertThat(sessions().endUnlessUsed(IQN, work)).isEmpty();

        assertThat(present()).isEmpty();
        assertThat(node.files("sys/class/block")).isEmpty();
        assertThat(node.files("var/lib/iscsi")).as("records").isEmpty();
        assertThat(sessions().leftOver(work)).isEmpty();
    }

    @Test
    void all_sessions_of_a_target_end_with_the_map_over_them() {
        node.multipathd = true;
        attach(new Attachment.Iscsi(PORTAL, List.of("10.0.0.2:3260"), "", IQN, 0));
        lose();

        assertThat(sessions().endUnlessUsed(IQN, work)).isEmpty();

        assertThat(present()).isEmpty();
        assertThat(node.files("sys/class/block")).isEmpty();
    }

    @Test
    void what_an_administrator_logged_in_is_never_left_over() throws IOException {
        node.logInByHand(IQN, PORTAL);

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(IQN, work)).isEmpty();

        assertThat(present()).isNotEmpty();
    }

    @Test
    void a_session_by_the_record_of_another_is_this_drivers_until_the_node_starts_again() throws IOException {
        var _ = node.records.make(IQN, PORTAL);
        attach(VOLUME);
        lose();
        assertThat(sessions().leftOver(work)).containsExactly(IQN);
        node.reboot("two");
        node.logInByHand(IQN, PORTAL);

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(IQN, work)).isEmpty();
        assertThat(present()).isNotEmpty();
    }

    @Test
    void a_mount_keeps_its_session_and_needs_not_be_told() {
        attach(VOLUME);
        lose();
        node.mount("sda");

        assertThat(sessions().leftOver(work)).isEmpty();
        assertThat(sessions().endUnlessUsed(IQN, work)).contains("a mount at /mnt/sda");

        assertThat(present()).isNotEmpty();
    }

    @Test
    void what_is_made_of_a_disk_keeps_its_session() throws IOException {
        attach(VOLUME);
        lose();
        BlockHolders.hold(node.root(), "sda", "dm-7", "LVM-x", "vg-lv", "");

        assertThat(sessions().leftOver(work)).containsExactly(IQN);
        assertThat(sessions().endUnlessUsed(IQN, work).orElse("")).contains("dm-7");

        assertThat(present()).isNotEmpty();
    }

    @Test
    void a_volume_that_is_staged_meanwhile_keeps_its_session() {
        attach(VOLUME);
        lose();
        assertThat(sessions().leftOver(work)).containsExactly(IQN);
        node.journal.stage("v:2", VOLUME, Map.of());

        assertThat(sessions().endUnlessUsed(IQN, work)).isEmpty();

        assertThat(present()).isNotEmpty();
    }
}
