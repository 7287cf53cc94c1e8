package dev.fairlead.adapter.node.iscsi;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract, and what is done with targets that differ, over open-iscsi and a kernel that are played on a folder.
 */
class IscsiAttacherTest implements AttacherContract<Attachment.Iscsi> {
    private static final String IQN = "iqn.2026-11.test.lab:stor";

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedInitiator node;

    @BeforeEach
    void aTargetWithTwoLuns() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
    }

    @Override
    public Attacher<Attachment.Iscsi> attacher() {
        return node.attacher();
    }

    @Override
    public Attachment.Iscsi volume(String name) {
        return lun(name.endsWith("2") ? 1 : 0, "10.0.0.1");
    }

    @Override
    public Attachment.Iscsi absent() {
        return lun(7, "10.0.0.1");
    }

    @Override
    public Mounter mounter() {
        return node.mounts;
    }

    @Override
    public Path folder() {
        return Path.of("/staging");
    }

    private static Attachment.Iscsi lun(int lun, String portal, String... more) {
        return new Attachment.Iscsi(portal, List.of(more), "", IQN, lun);
    }

    private Path attach(Attachment.Iscsi attachment, Map<String, Secret> secrets) {
        return AttachCalls.device(node.attacher(), attachment, secrets);
    }

    private Path attach(Attachment.Iscsi attachment) {
        return attach(attachment, Map.of());
    }

    private void detach(Attachment.Iscsi attachment) {
        node.attacher().detach(attachment, Map.of(), TestWork.patient());
    }

    @Test
    void nothing_is_left_of_a_volume_that_was_attached_and_detached() {
        assertThat(attach(lun(0, "10.0.0.1"))).isEqualTo(node.root().resolve("dev/sda"));
        assertThat(node.files("sys/class/iscsi_session")).isNotEmpty();

        detach(lun(0, "10.0.0.1"));

        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
        assertThat(node.files("var/lib/iscsi")).isEmpty();
    }

    @Test
    void a_lun_of_a_shared_target_goes_by_itself() {
        attach(lun(0, "10.0.0.1"));
        attach(lun(1, "10.0.0.1"));

        detach(lun(0, "10.0.0.1"));

        assertThat(node.commands).noneMatch(it -> it.contains("--logout"));
        assertThat(node.commands.stream().filter(it -> it.contains("--login"))).hasSize(1);
        assertThat(folder.resolve("sys/class/block/sda")).doesNotExist();
        assertThat(folder.resolve("sys/class/block/sdb")).exists();
        assertThat(node.files("var/lib/iscsi"))
                .as("the record of the session that stays")
                .hasSize(1);
        detach(lun(1, "10.0.0.1"));
        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
    }

    @Test
    void nothing_is_logged_out_that_is_mounted() {
        attach(lun(0, "10.0.0.1"));
        node.mount("sda");

        assertThat(failure(() -> detach(lun(0, "10.0.0.1")))).isInstanceOf(Failure.InUse.class);

        assertThat(folder.resolve("sys/class/block/sda")).exists();
        assertThat(node.commands).noneMatch(it -> it.contains("--logout"));
    }

    @Test
    void nothing_is_taken_away_that_something_other_than_multipath_is_made_of() throws IOException {
        attach(lun(0, "10.0.0.1"));
        Path lvm = Files.createDirectories(folder.resolve("sys/class/block/dm-7/dm"));
        Files.writeString(lvm.resolve("uuid"), "LVM-x");
        Files.createDirectories(folder.resolve("sys/class/block/sda/holders/dm-7"));

        assertThat(failure(() -> detach(lun(0, "10.0.0.1"))).message()).contains("dm-7");

        assertThat(folder.resolve("sys/class/block/sda")).exists();
    }

    @Test
    void a_dead_portal_is_left_out_if_another_lets_the_node_in() {
        node.refusals.put("10.0.0.2:3260", 8);

        assertThat(attach(lun(0, "10.0.0.2:3260", "10.0.0.1:3260"))).hasFileName("sda");
    }

    @Test
    void several_paths_are_used_by_the_map_of_multipath_and_taken_away_with_it() {
        node.multipathd = true;
        Attachment.Iscsi volume = lun(0, "10.0.0.1", "[fe80::1]:3260");

        assertThat(attach(volume)).hasFileName("dm-0");
        detach(volume);

        assertThat(node.commands).contains("multipath -f mpatha");
        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
        assertThat(node.files("var/lib/iscsi")).isEmpty();
    }

    @Test
    void the_maps_of_partitions_go_with_their_multipath_device_unless_they_are_used() throws IOException {
        node.multipathd = true;
        Attachment.Iscsi volume = lun(0, "10.0.0.1", "[fe80::1]:3260");
        assertThat(attach(volume)).hasFileName("dm-0");
        Path part = Files.createDirectories(folder.resolve("sys/class/block/dm-1/dm"));
        Files.writeString(part.resolve("uuid"), "part1-mpath-3600");
        Files.createDirectories(folder.resolve("sys/class/block/dm-0/holders/dm-1"));
        Path holder = Files.createDirectories(folder.resolve("sys/class/block/dm-1/holders/dm-2"));
        assertThat(failure(() -> detach(volume)).message()).contains("dm-1");
        Files.delete(holder);

        detach(volume);

        assertThat(node.commands).contains("multipath -f mpatha");
    }

    @Test
    void several_paths_without_a_map_are_told() {
        assertThat(failure(() -> attach(lun(0, "10.0.0.1", "10.0.0.2"))).message())
                .contains("multipathd");
    }

    @Test
    void secrets_are_in_a_record_of_its_owner_and_in_no_argument() throws IOException {
        Map<String, Secret> secrets = Map.of(
                "node-db.node.session.auth.username", new Secret("user"),
                "node-db.node.session.auth.password", new Secret("a-pass-word-12"),
                "node-db.node.startup", new Secret("automatic"));

        attach(lun(0, "10.0.0.1"), secrets);

        Path record = node.files("var/lib/iscsi").getFirst();
        assertThat(Files.readAllLines(record))
                .contains("node.session.auth.authmethod = CHAP", "node.session.auth.password = a-pass-word-12")
                .contains("node.startup = manual", "node.name = " + IQN)
                .doesNotContain("node.session.auth.authmethod = None")
                .last()
                .isEqualTo("# END RECORD");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                .isEqualTo("rw-------");
        assertThat(node.files("var/lib/iscsi")).hasSize(1);
        assertThat(node.commands).noneMatch(it -> it.contains("a-pass-word-12"));
    }

    @Test
    void a_target_that_the_node_itself_starts_stays_so() {
        assertThat(NodeRecords.with(Map.of("node.startup", "manual"), "node.startup = onboot\n# END RECORD\n"))
                .isEqualTo("node.startup = onboot\n# END RECORD\n");
    }

    @ParameterizedTest
    @CsvSource({
        "24, FL-CON-004, CHAP",
        "19, FL-CON-004, exists",
        "8, FL-CON-003, 10.0.0.1",
        "20, FL-NODE-005, iscsid",
        "127, FL-NODE-005, open-iscsi"
    })
    void why_nobody_let_the_node_in_is_told(int exit, String code, String word) {
        node.refusals.put("10.0.0.1:3260", exit);

        Failure failure = failure(() -> attach(lun(0, "10.0.0.1")));

        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).contains(word);
    }

    @Test
    void a_lun_that_the_target_does_not_show_is_told() {
        assertThat(failure(() -> attach(lun(7, "10.0.0.1")))).isInstanceOf(Failure.BackendRejected.class);
        detach(lun(7, "10.0.0.1"));
        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
    }

    @Test
    void a_mount_is_recognised_by_the_session_of_its_disk() {
        attach(lun(1, "10.0.0.1"));
        MountEntry mount = node.mount("sda");

        assertThat(node.attacher().recognise(mount, TestWork.patient())).contains(lun(1, "10.0.0.1:3260"));
        assertThat(node.attacher().shows(lun(1, "10.0.0.1"), mount, TestWork.patient()))
                .isTrue();
        assertThat(node.attacher().shows(lun(0, "10.0.0.1"), mount, TestWork.patient()))
                .isFalse();
    }

    @Test
    void an_interface_that_the_node_does_not_have_is_left_out() {
        assertThat(attach(new Attachment.Iscsi("10.0.0.1", List.of(), "eth9", IQN, 0)))
                .hasFileName("sda");

        assertThat(node.commands).noneMatch(it -> it.contains("-I"));
    }

    @Test
    void what_another_logged_in_is_used_and_left_as_it_was() throws IOException {
        node.logInByHand(IQN, "10.0.0.1:3260");
        Attach<Attachment.Iscsi> request =
                new Attach<>("v:one", lun(0, "10.0.0.1"), TestVolumes.BLOCK, Map.of(), Map.of(), Map.of());

        Attached.Device attached = (Attached.Device) attacher().attach(request, TestWork.patient());
        attacher().detach(lun(0, "10.0.0.1"), Map.of(), TestWork.patient());
        attacher().detach(lun(0, "10.0.0.1"), attached.facts(), TestWork.patient());

        assertThat(attached.path()).hasFileName("sda").exists();
        assertThat(folder.resolve("sys/class/block/sda")).exists();
        assertThat(node.commands).noneMatch(it -> it.contains("--logout"));
        attacher().detach(lun(0, "10.0.0.1"), Map.of(Attacher.RECOGNISED, "/mnt"), TestWork.patient());
        assertThat(folder.resolve("sys/class/block/sda")).doesNotExist();
    }

    @Test
    void what_was_attached_here_is_detached_without_its_record() throws IOException {
        var request = new Attach<>("v:one", lun(0, "10.0.0.1"), TestVolumes.BLOCK, Map.of(), Map.of(), Map.of());
        Attached.Device attached = (Attached.Device) attacher().attach(request, TestWork.patient());
        for (Path record : node.files("var/lib/iscsi")) {
            Files.delete(record);
        }

        attacher().detach(lun(0, "10.0.0.1"), attached.facts(), TestWork.patient());

        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
    }

    @Test
    void a_login_that_outlives_its_call_keeps_the_target_until_it_has_ended() throws InterruptedException {
        CountDownLatch answering = new CountDownLatch(1);
        node.answering = answering;
        Thread call = Thread.ofPlatform().start(() -> {
            var _ = failure(() -> attach(lun(0, "10.0.0.1")));
        });
        node.asked.await();
        call.interrupt();
        call.join();

        TestWork impatient = TestWork.patient().left(Duration.ofMillis(50));
        assertThat(failure(() -> attacher().detach(lun(0, "10.0.0.1"), Map.of(), impatient)))
                .isInstanceOf(Failure.OperationPending.class);
        answering.countDown();
        detach(lun(0, "10.0.0.1"));

        assertThat(node.files("sys/class/iscsi_session")).isEmpty();
        assertThat(node.files("var/lib/iscsi")).isEmpty();
    }

    @Test
    void a_session_that_its_portal_does_not_answer_is_told() throws IOException {
        attach(lun(0, "10.0.0.1"));
        Files.writeString(folder.resolve("sys/class/iscsi_session/session1/state"), "FAILED\n");

        Failure failure = failure(() -> attach(lun(0, "10.0.0.1")));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message()).contains("session1 is FAILED");
        Files.writeString(folder.resolve("sys/class/iscsi_session/session1/state"), "LOGGED_IN\n");
        detach(lun(0, "10.0.0.1"));
    }
}
