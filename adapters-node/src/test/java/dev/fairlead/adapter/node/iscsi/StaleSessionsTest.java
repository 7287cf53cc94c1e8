package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
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

/** What becomes of sessions whose target has got another CHAP secret. */
class StaleSessionsTest {
    private static final String IQN = "iqn.2026-11.test.lab:stor";
    private static final String OLD = "once-upon-a-time";
    private static final String NEW = "happily-ever-after";

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedInitiator node;

    @BeforeEach
    void a_target_with_two_luns_that_is_logged_in_with_the_old_secret() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
        attach(0, OLD);
        Files.writeString(session(1).resolve("username"), "node-1\n");
        Files.writeString(session(1).resolve("password"), OLD + "\n");
        Files.writeString(session(1).resolve("username_in"), "(null)\n");
        Files.writeString(session(1).resolve("state"), "FAILED\n");
    }

    private Path session(int number) {
        return folder.resolve("sys/class/iscsi_session/session" + number);
    }

    private Path attach(int lun, String password) {
        return attach(lun, password, List.of());
    }

    private Path attach(int lun, String password, List<String> otherPortals) {
        return AttachCalls.device(
                node.attacher(),
                new Attachment.Iscsi("10.0.0.1:3260", otherPortals, "", IQN, lun),
                ScriptedInitiator.chap(password));
    }

    private long logouts() {
        return node.commands.stream().filter(it -> it.contains("--logout")).count();
    }

    @Test
    void a_lost_session_with_the_old_secret_that_nobody_uses_makes_room_for_one_with_the_new() {
        assertThat(attach(0, NEW)).hasFileName("sdb");

        assertThat(session(1)).doesNotExist();
        assertThat(session(2)).exists();
        assertThat(node.files("var/lib/iscsi/nodes"))
                .singleElement()
                .satisfies(it -> assertThat(it).content().contains(NEW).doesNotContain(OLD));
        assertThat(node.commands.toString()).doesNotContain(NEW);
    }

    @Test
    void a_lost_session_that_another_volume_uses_stays_and_the_failure_says_what_to_do() throws IOException {
        var _ = node.mount("sda");

        Failure failure = failure(() -> attach(1, NEW));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message())
                .contains("other CHAP credentials", "/mnt/sda", "iscsiadm -m session -r 1 --logout")
                .doesNotContain(NEW, OLD);
        assertThat(logouts()).isZero();
        assertThat(Files.readString(node.files("var/lib/iscsi/nodes").getFirst()))
                .contains(NEW);
    }

    @Test
    void a_lost_session_whose_other_disk_has_a_map_that_is_in_use_stays() throws IOException {
        node.targets.put(IQN, List.of(0, 1));
        node.write(folder.resolve("sys/class/scsi_host/host1/scan"), "0 0 1"); // as the administrator may look for it
        node.multipathd = true;
        node.map("sda");
        BlockHolders.hold(node.root(), "sdb", "dm-5", "LVM-x", "lv", "2048");

        assertThat(failure(() -> attach(0, NEW)).message()).contains("dm-5");

        assertThat(logouts()).isZero();
        assertThat(session(1)).exists();
    }

    @Test
    void one_that_cannot_be_ended_bars_no_other_portal() throws IOException {
        node.staying.add("1");

        assertThat(attach(0, NEW, List.of("10.0.0.2:3260"))).exists();

        assertThat(logouts()).isEqualTo(1);
        assertThat(session(2)).exists();
    }

    @Test
    void what_the_former_secret_had_besides_is_not_in_the_new_record() throws IOException {
        Path record = node.files("var/lib/iscsi/nodes").getFirst();
        String before = Files.readString(record);
        Files.writeString(record, before.replace("# END", "node.session.auth.password_in = " + OLD + "\n# END"));

        assertThat(attach(0, NEW)).hasFileName("sdb");

        assertThat(Files.readString(node.files("var/lib/iscsi/nodes").getFirst()))
                .contains(NEW)
                .doesNotContain("password_in");
    }

    @Test
    void credentials_of_the_target_that_the_secret_does_not_name_are_nobodys_to_judge() throws IOException {
        Files.writeString(session(1).resolve("username_in"), "from-iscsid-conf\n");

        assertThat(failure(() -> attach(0, OLD)).message()).contains("as its portal does not answer it");

        assertThat(logouts()).isZero();
    }

    @Test
    void a_lost_session_with_the_same_secret_is_waited_for() {
        assertThat(failure(() -> attach(0, OLD)).message()).contains("as its portal does not answer it");

        assertThat(logouts()).isZero();
    }

    @Test
    void a_session_that_works_is_used_whatever_secret_it_was_made_with() throws IOException {
        Files.writeString(session(1).resolve("state"), "LOGGED_IN\n");

        assertThat(attach(1, NEW)).hasFileName("sdb");

        assertThat(logouts()).isZero();
        assertThat(session(2)).doesNotExist();
    }

    @Test
    void a_lost_session_of_a_raw_device_that_no_mount_shows_stays() {
        Map<String, String> facts = Map.of(LunDisks.WWID, "naa." + IQN + "0", LunDisks.TARGET, IQN);
        node.journal.stage("v:0", new Attachment.Iscsi("10.0.0.1:3260", List.of(), "", IQN, 0), facts);

        assertThat(failure(() -> attach(1, NEW)).message()).contains("the volume that is LUN 0");

        assertThat(logouts()).isZero();
    }

    @Test
    void a_lost_session_of_the_administrators_stays_and_so_does_its_record() throws IOException {
        Path record = node.files("var/lib/iscsi/nodes").getFirst();
        Files.writeString(record, Files.readString(record).replace("scan = manual", "scan = auto"));
        for (Path note : node.files("journal")) {
            Files.delete(note); // nobody made it here
        }
        String before = Files.readString(record);

        assertThat(failure(() -> attach(0, NEW)).message()).contains("whoever logged it in before Fairlead");

        assertThat(logouts()).isZero();
        assertThat(record).content().isEqualTo(before);
    }
}
