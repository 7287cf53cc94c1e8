package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
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

/** What becomes of a LUN that the administrator shows by a session at one portal, and a volume by one at another. */
class MixedSessionsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String HIS = "10.0.0.1:3260";
    private static final String OURS = "10.0.0.2:3260";
    private static final Attachment.Iscsi VOLUME = new Attachment.Iscsi(HIS, List.of(OURS), "", IQN, 0);

    @TempDir
    private Path folder;

    private ScriptedInitiator node;
    private IscsiAttacher attacher;

    @BeforeEach
    void a_target_with_two_portals() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0));
        node.multipathd = true;
        attacher = node.attacher();
    }

    @AfterEach
    void end_what_runs() {
        node.close();
    }

    private Attached.Device attached() {
        return AttachCalls.raw(attacher, "v", VOLUME, Map.of(), TestWork.patient());
    }

    private void detach(Attached.Device device) {
        attacher.detach(VOLUME, device.facts(), TestWork.patient());
    }

    private void onlyHisIsLeft(int session, String disk) throws IOException {
        try (var sessions = Files.list(folder.resolve("sys/class/iscsi_session"))) {
            assertThat(sessions).extracting(it -> it.getFileName().toString()).containsExactly("session" + session);
        }
        try (var disks = Files.list(folder.resolve("sys/class/block"))) {
            assertThat(disks)
                    .extracting(it -> it.getFileName().toString())
                    .filteredOn(it -> it.startsWith("sd"))
                    .containsExactly(disk);
        }
        assertThat(node.commands).noneMatch(it -> it.startsWith("multipath -f"));
        assertThat(node.files("var/lib/iscsi")).singleElement().matches(it -> it.endsWith("10.0.0.1,3260"));
    }

    @Test
    void his_session_stays_and_ours_ends() throws IOException {
        node.logInByHand(IQN, HIS);

        detach(attached());

        onlyHisIsLeft(1, "sda");
    }

    @Test
    void one_that_he_logged_in_after_ours_stays_too() throws IOException {
        var ours = new Attachment.Iscsi(OURS, List.of(), "", IQN, 0);
        Attached.Device device = AttachCalls.raw(attacher, "v", ours, Map.of(), TestWork.patient());
        node.logInByHand(IQN, HIS);

        attacher.detach(ours, device.facts(), TestWork.patient());

        onlyHisIsLeft(2, "sdb");
    }

    @Test
    void what_he_has_mounted_is_in_nobodys_way() throws IOException {
        node.multipathd = false;
        node.logInByHand(IQN, HIS);
        var _ = node.mount("sda");
        node.logInByHand(IQN, OURS);
        Files.writeString(
                node.files("var/lib/iscsi").getLast(),
                "node.startup = manual\nnode.session.scan = manual\n# END RECORD\n");

        attacher.detach(VOLUME, Map.of(), TestWork.patient());

        onlyHisIsLeft(1, "sda");
    }

    @Test
    void a_map_over_both_that_is_mounted_keeps_ours() throws IOException {
        node.logInByHand(IQN, HIS);
        Attached.Device device = attached();
        var _ = node.mount("dm-0");

        assertThat(failure(() -> detach(device))).isInstanceOf(Failure.InUse.class);

        assertThat(folder.resolve("sys/class/block/sdb")).exists();
    }

    @Test
    void both_end_if_they_were_taken_over_from_another_driver() throws IOException {
        node.logInByHand(IQN, HIS);
        Attached.Device device = attached();

        attacher.detach(VOLUME, Map.of(Attacher.RECOGNISED, "its mount"), TestWork.patient());

        assertThat(device.path()).hasFileName("dm-0");
        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
    }
}
