package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.domain.attachment.Attachment;
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

    /** Returns what a new process tells. */
    private Map<String, String> leftOver() {
        return node.attacher().sessions().leftOver(node.journal.inventory(), work);
    }

    private void lose() {
        node.journal.remove(HANDLE, work);
    }

    @Test
    void a_session_whose_journal_was_lost_is_told_with_what_ends_it_and_stays() {
        attach(VOLUME);
        assertThat(leftOver()).isEmpty();
        lose();
        List<Path> before = node.files("");

        assertThat(leftOver()).isEqualTo(Map.of(IQN, "iscsiadm -m session -r 1 -u"));

        assertThat(node.files("")).isEqualTo(before);
    }

    @Test
    void each_session_of_a_target_is_told() {
        node.multipathd = true;
        attach(new Attachment.Iscsi(PORTAL, List.of("10.0.0.2:3260"), "", IQN, 0));
        lose();

        assertThat(leftOver().get(IQN)).isEqualTo("iscsiadm -m session -r 1 -u; iscsiadm -m session -r 2 -u");
    }

    @Test
    void what_an_administrator_logged_in_is_never_left_over() throws IOException {
        node.logInByHand(IQN, PORTAL);

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_session_by_the_record_of_another_may_be_that_ones() throws IOException {
        var _ = node.records.make(IQN, PORTAL);
        attach(VOLUME);
        lose();

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_session_by_a_record_that_the_node_logs_in_by_itself_is_the_nodes() throws IOException {
        attach(VOLUME);
        lose();
        Path record = node.records.file(IQN, PORTAL);
        Files.writeString(record, Files.readString(record).replace("startup = manual", "startup = automatic"));

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_session_whose_record_is_gone_may_be_by_another() throws IOException {
        attach(VOLUME);
        lose();
        Files.delete(node.records.file(IQN, PORTAL));

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_session_by_another_interface_than_the_noted_one_is_anothers() throws IOException {
        attach(VOLUME);
        lose();
        Files.writeString(node.root().resolve("sys/class/iscsi_session/session1/ifacename"), "eth1\n");

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_mount_needs_not_be_told() {
        attach(VOLUME);
        lose();
        node.mount("sda");

        assertThat(leftOver()).isEmpty();
    }

    @Test
    void a_look_reads_the_journal_not_once_more_for_each_target() {
        attach(VOLUME);
        lose();
        StageJournal.Inventory read = node.journal.inventory();
        node.journal.stage("v:2", VOLUME, Map.of());

        assertThat(node.attacher().sessions().leftOver(read, work)).containsOnlyKeys(IQN);
    }
}
