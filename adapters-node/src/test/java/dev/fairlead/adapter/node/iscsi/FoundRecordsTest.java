package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which node records are taken for the administrator's, and which for those that were made here. */
class FoundRecordsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String FIRST = "10.0.0.1:3260";
    private static final String SECOND = "10.0.0.2:3260";
    private static final String PASSWORD = "once-upon-a-time";

    @TempDir
    private Path folder;

    private ScriptedInitiator node;

    @BeforeEach
    void a_target_with_two_luns() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
    }

    @AfterEach
    void end_what_runs() {
        node.close();
    }

    private static Attachment.Iscsi at(String portal, String... others) {
        return new Attachment.Iscsi(portal, List.of(others), "", IQN, 0);
    }

    private Attached.Device attached(Attachment.Iscsi volume) {
        return AttachCalls.raw(node.attacher(), "v", volume, ScriptedInitiator.chap(PASSWORD), TestWork.patient());
    }

    /** Detaches as a new process does. */
    private void detach(Attachment.Iscsi volume, Attached.Device device) {
        node.attacher().detach(volume, device.facts(), TestWork.patient());
    }

    private List<Path> records() {
        return node.files("var/lib/iscsi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"automatic", "manual", "onboot"})
    void an_administrators_record_is_used_as_it_is_and_stays(String startup) throws IOException {
        Path record = node.records.make(IQN, FIRST);
        String found = Files.readString(record).replace("automatic", startup);
        Files.writeString(record, found);

        Attached.Device device = attached(at(FIRST));
        assertThat(record).content().isEqualTo(found);
        detach(at(FIRST), device);

        assertThat(record).content().isEqualTo(found);
    }

    @Test
    void one_whose_credentials_are_refused_is_told() throws IOException {
        var _ = node.records.make(IQN, FIRST);
        node.refusals.put(FIRST, 24);

        assertThat(failure(() -> attached(at(FIRST))).message())
                .contains("CHAP", "not made by Fairlead", "iscsiadm -m node -T " + IQN)
                .doesNotContain(PASSWORD);
    }

    @Test
    void a_session_that_was_logged_in_by_an_administrators_record_ends_with_all_disks_that_it_showed()
            throws IOException {
        var _ = node.records.make(IQN, FIRST);
        Attached.Device device = attached(at(FIRST));
        assertThat(folder.resolve("sys/class/block/sdb"))
                .as("the LUN that nobody asked for")
                .exists();

        detach(at(FIRST), device);

        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
        assertThat(node.files("sys/class/block")).isEmpty();
    }

    @Test
    void one_that_shows_a_disk_which_somebody_uses_stays() throws IOException {
        var _ = node.records.make(IQN, FIRST);
        Attached.Device device = attached(at(FIRST));
        var _ = node.mount("sdb");

        detach(at(FIRST), device);

        assertThat(folder.resolve("sys/class/block/sda")).doesNotExist();
        assertThat(folder.resolve("sys/class/block/sdb")).exists();
    }

    @Test
    void what_was_logged_in_by_it_before_the_node_started_again_is_the_administrators_now() throws IOException {
        var _ = node.records.make(IQN, FIRST);
        Attached.Device device = attached(at(FIRST));
        node.reboot("two");
        node.logInByHand(IQN, FIRST);
        var _ = attached(at(FIRST));

        node.attacher().detach(at(FIRST), Map.of(), TestWork.patient());

        assertThat(device.path()).hasFileName("sda");
        assertThat(node.files("sys/class/iscsi_session")).isNotEmpty();
        assertThat(node.commands).noneMatch(it -> it.contains("--logout"));
    }

    @Test
    void a_login_by_it_that_failed_leaves_a_later_one_to_the_administrator() throws IOException {
        var _ = node.records.make(IQN, FIRST);
        node.refusals.put(FIRST, 8);
        var _ = failure(() -> attached(at(FIRST)));
        node.refusals.clear();
        node.logInByHand(IQN, FIRST);

        Attached.Device device = attached(at(FIRST));
        detach(at(FIRST), device);

        assertThat(node.files("sys/class/iscsi_session")).isNotEmpty();
    }

    @Test
    void the_record_of_a_dead_portal_goes_though_the_session_is_anothers() throws IOException {
        node.logInByHand(IQN, FIRST);
        List<Path> anothers = records();
        node.refusals.put(SECOND, 8);
        Attached.Device device = attached(at(FIRST, SECOND));
        assertThat(records())
                .hasSize(2)
                .last()
                .satisfies(it -> assertThat(it).content().contains(PASSWORD));

        detach(at(FIRST, SECOND), device);

        assertThat(records()).isEqualTo(anothers);
        assertThat(folder.resolve("sys/class/iscsi_session/session1")).exists();
    }

    @Test
    void an_administrators_record_of_a_dead_portal_beside_another_session_stays() throws IOException {
        node.logInByHand(IQN, FIRST);
        Path record = node.records.make(IQN, SECOND);
        String found = Files.readString(record);
        node.refusals.put(SECOND, 8);

        detach(at(FIRST, SECOND), attached(at(FIRST, SECOND)));

        assertThat(record).content().isEqualTo(found);
    }

    @Test
    void a_record_that_an_older_version_may_have_made_over_an_administrators_stays_beside_that_ones_session()
            throws IOException {
        node.logInByHand(IQN, FIRST);
        Path record = node.records.make(IQN, SECOND);
        Files.writeString(record, "node.startup = manual\nnode.session.scan = manual\n# END RECORD\n");
        node.refusals.put(SECOND, 8);

        detach(at(FIRST, SECOND), attached(at(FIRST, SECOND)));

        assertThat(record).exists();
    }

    /** After the note, and after the record that has no values yet. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_record_whose_making_was_cut_off_is_still_known_to_be_made_here(int effects) {
        var _ = failure(() -> AttachCalls.raw(
                node.attacher(),
                "v",
                at(FIRST),
                ScriptedInitiator.chap(PASSWORD),
                TestWork.patient().cancelledAfter(effects)));
        assertThat(records()).hasSize(effects - 1);

        Attached.Device device = attached(at(FIRST));

        assertThat(records())
                .singleElement()
                .satisfies(it -> assertThat(it).content().contains(PASSWORD));
        detach(at(FIRST), device);
        assertThat(records()).isEmpty();
        assertThat(node.files("journal")).isEmpty();
    }
}
