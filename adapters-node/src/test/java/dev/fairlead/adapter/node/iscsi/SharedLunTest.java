package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of one LUN that two volumes name by different portals of its target. */
class SharedLunTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String FIRST = "10.0.0.1:3260";
    private static final String SECOND = "10.0.0.2:3260";

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedInitiator node;

    private IscsiAttacher attacher;

    @BeforeEach
    void a_target_with_two_portals() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0));
        attacher = node.attacher();
    }

    private static Attachment.Iscsi at(String portal, String... others) {
        return new Attachment.Iscsi(portal, List.of(others), "", IQN, 0);
    }

    private Attached.Device attached(Attachment.Iscsi volume) {
        return AttachCalls.raw(attacher, "v", volume, Map.of(), TestWork.patient());
    }

    private void noted(Attachment.Iscsi volume, Attached.Device device) {
        node.journal.stage("v:1", volume, device.facts());
    }

    private void lose(int session) throws IOException {
        Files.writeString(folder.resolve("sys/class/iscsi_session/session" + session + "/state"), "FAILED\n");
    }

    private List<String> loginsAtSecond() {
        return node.commands.stream()
                .filter(it -> it.contains("--login") && it.contains(SECOND))
                .toList();
    }

    @Test
    void a_mounted_disk_stays_the_only_one_of_its_lun() {
        var _ = attached(at(FIRST));
        var _ = node.mount("sda");

        assertThat(attached(at(SECOND)).path()).hasFileName("sda");

        assertThat(loginsAtSecond()).isEmpty();
        assertThat(folder.resolve("sys/class/block/sdb")).doesNotExist();
    }

    @Test
    void a_raw_device_that_nobody_has_open_stays_the_only_one_of_its_lun() {
        noted(at(FIRST), attached(at(FIRST)));

        assertThat(attached(at(SECOND)).path()).hasFileName("sda");

        assertThat(loginsAtSecond()).isEmpty();
    }

    @Test
    void no_other_path_is_made_while_the_session_of_a_mounted_disk_is_lost() throws IOException {
        var _ = attached(at(FIRST));
        var _ = node.mount("sda");
        lose(1);

        Failure failure = failure(() -> attached(at(SECOND)));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message()).contains("sda", "session1", "FAILED");
        assertThat(loginsAtSecond()).isEmpty();
    }

    @Test
    void the_mounted_disk_is_used_of_two_that_have_no_map() throws IOException {
        node.logInByHand(IQN, FIRST);
        node.logInByHand(IQN, SECOND);
        var _ = node.mount("sdb");

        assertThat(attached(at(FIRST, SECOND)).path()).hasFileName("sdb");
    }

    @Test
    void two_disks_in_use_without_a_map_are_refused() throws IOException {
        node.logInByHand(IQN, FIRST);
        node.logInByHand(IQN, SECOND);
        var _ = node.mount("sda");
        var _ = node.mount("sdb");

        assertThat(failure(() -> attached(at(FIRST))).message()).contains("2 paths");
    }

    @Test
    void a_lun_with_a_map_gets_the_path_of_another_portal() {
        node.multipathd = true;
        noted(at(FIRST), attached(at(FIRST)));

        assertThat(attached(at(SECOND)).path()).hasFileName("dm-0");

        assertThat(folder.resolve("sys/class/block/dm-0/slaves/sdb")).exists();
    }

    @Test
    void a_lost_disk_that_nobody_uses_bars_no_other_portal() throws IOException {
        var _ = attached(at(FIRST));
        lose(1);

        assertThat(attached(at(SECOND)).path()).hasFileName("sdb");
    }

    @Test
    void the_records_of_both_volumes_portals_go_with_the_last_session() {
        node.multipathd = true;
        Attached.Device device = attached(at(FIRST));
        node.refusals.put("10.0.0.3:3260", 8);
        var _ = attached(at(SECOND, "10.0.0.3:3260"));

        attacher.detach(at(FIRST), device.facts(), TestWork.patient());

        assertThat(node.files("var/lib/iscsi")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3260,auto", "99999,manual", "0,manual"})
    void a_strangers_record_of_another_portal_stays(String port, String scan) throws IOException {
        Attached.Device device = attached(at(FIRST));
        Path record = node.files("var/lib/iscsi").getFirst().resolveSibling("10.0.0.9," + port);
        Files.writeString(record, "node.startup = manual\nnode.session.scan = " + scan + "\n# END RECORD\n");

        attacher.detach(at(FIRST), device.facts(), TestWork.patient());

        assertThat(node.files("var/lib/iscsi")).containsExactly(record);
    }
}
