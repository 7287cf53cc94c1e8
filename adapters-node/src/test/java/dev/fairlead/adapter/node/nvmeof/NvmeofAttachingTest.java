package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmeofAttachingTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final String KEY = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    @BeforeEach
    void aSubsystemWithTwoNamespaces() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2));
    }

    private static Attachment.Nvmeof namespace(int nsid, String transport, String... more) {
        return new Attachment.Nvmeof(transport, List.of(more), NQN, nsid);
    }

    private static Attachment.Nvmeof namespace(int nsid) {
        return namespace(nsid, "tcp://10.0.0.1:4420");
    }

    private Attached.Device attached(Attachment.Nvmeof attachment, Map<String, Secret> secrets) {
        return (Attached.Device) AttachCalls.attach(kernel.attacher(), attachment, TestVolumes.BLOCK, secrets);
    }

    private Path attach(Attachment.Nvmeof attachment) {
        return attached(attachment, Map.of()).path();
    }

    private void detach(Attachment.Nvmeof attachment) {
        kernel.attacher().detach(attachment, Map.of(), TestWork.patient());
    }

    private List<NvmeofSysfs.Controller> controllers() {
        return kernel.sysfs().controllers(NQN);
    }

    @Test
    void nothing_is_left_of_a_volume_that_was_attached_and_detached() {
        assertThat(attach(namespace(1))).isEqualTo(kernel.root.resolve("dev/nvme0n1"));

        detach(namespace(1));

        assertThat(controllers()).isEmpty();
        assertThat(kernel.root.resolve("journal")).isDirectoryNotContaining("regex:.*nvme-[0-9a-f].*");
    }

    @Test
    void the_kernel_is_told_who_the_node_is_and_how_long_to_wait() throws IOException {
        Path nvme = Files.createDirectories(kernel.root.resolve("etc/nvme"));
        Files.writeString(nvme.resolve("hostnqn"), "nqn.2014-08.org.example:node-1\n");
        Files.writeString(nvme.resolve("hostid"), "0b2b7e4e-6b1c-4b3a-9a53-0123456789ab\n");

        attach(namespace(1, "tcp://10.0.0.1?ctrl-loss-tmo=-1&-i=4&hdr-digest=true"));

        assertThat(kernel.connected)
                .containsExactly("transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN
                        + ",ctrl_loss_tmo=-1,hdr_digest,nr_io_queues=4,reconnect_delay=5"
                        + ",hostnqn=nqn.2014-08.org.example:node-1,hostid=0b2b7e4e-6b1c-4b3a-9a53-0123456789ab");
    }

    @Test
    void a_node_without_a_name_gets_one_that_stays() {
        attach(namespace(1));
        detach(namespace(1));
        attach(namespace(1));

        assertThat(kernel.connected).hasSize(2);
        assertThat(kernel.connected.get(0))
                .isEqualTo(kernel.connected.get(1))
                .matches(".*,hostnqn=nqn\\.2014-08\\.org\\.nvmexpress:uuid:([0-9a-f-]{36}),hostid=\\1");
    }

    @Test
    void a_namespace_of_a_shared_subsystem_goes_by_itself() {
        attach(namespace(1));
        kernel.stage("v:one", namespace(1));
        attach(namespace(2));
        kernel.stage("v:two", namespace(2));

        detach(namespace(1));

        assertThat(kernel.connected).hasSize(1);
        assertThat(controllers()).hasSize(1);
        kernel.journal.remove("v:one", TestWork.patient());
        detach(namespace(2));
        assertThat(controllers()).isEmpty();
    }

    @Test
    void the_connection_stays_while_an_entry_that_cannot_be_read_may_be_of_a_volume_behind_it() {
        attach(namespace(1));
        kernel.stage("v:one", namespace(1));
        kernel.journal.spoil("v:two");

        detach(namespace(1));

        assertThat(controllers()).hasSize(1);
    }

    @Test
    void two_that_go_at_once_leave_nothing() {
        attach(namespace(1));
        kernel.stage("v:one", namespace(1));
        attach(namespace(2));
        kernel.stage("v:two", namespace(2));

        detach(namespace(1));
        detach(namespace(2)); // before anybody has removed an entry

        assertThat(controllers()).isEmpty();
    }

    @Test
    void a_connection_that_the_kernel_is_still_making_is_ended_as_soon_as_it_lets_that_be_done() {
        var _ = attach(namespace(1));
        kernel.busy = 2;

        detach(namespace(1));

        assertThat(kernel.disconnected).containsExactly(NQN);
    }

    @Test
    void a_connection_that_stays_busy_fails_the_detachment_and_says_so() {
        var _ = attach(namespace(1));
        kernel.busy = Integer.MAX_VALUE;

        TestWork soon = TestWork.patient().left(Duration.ofMillis(300));
        Failure failure = failure(() -> kernel.attacher().detach(namespace(1), Map.of(), soon));

        assertThat(failure).isInstanceOf(Failure.NodeFault.class);
        assertThat(failure.message()).contains("nvme0", "busy");
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void nothing_is_disconnected_that_is_mounted() {
        Path device = attach(namespace(1));
        Path place = folder.resolve("pod");
        kernel.mounts.makeDirectory(folder, TestWork.patient());
        kernel.mounts.bindDevice(device, place, List.of(), TestWork.patient());

        assertThat(failure(() -> detach(namespace(1)))).isInstanceOf(Failure.InUse.class);
        detach(namespace(2));

        assertThat(controllers()).hasSize(1);
        kernel.mounts.unmount(place, TestWork.patient());
        detach(namespace(1));
        assertThat(controllers()).isEmpty();
    }

    @Test
    void nothing_is_disconnected_that_something_other_than_multipath_is_made_of() throws IOException {
        attach(namespace(1));
        kernel.hold("nvme1n1", "dm-7", "LVM-x");

        detach(namespace(1));

        assertThat(controllers()).hasSize(1);
        assertThat(failure(() -> detach(namespace(2))).message()).contains("dm-7");
    }

    @Test
    void connections_that_the_node_had_before_stay() throws IOException {
        kernel.connect("transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN);

        attach(namespace(1));
        detach(namespace(1));

        assertThat(controllers()).hasSize(1);
        assertThat(kernel.connected).hasSize(1);
    }

    @Test
    void what_fairlead_connected_before_the_node_started_again_is_not_its_own() throws IOException {
        attach(namespace(1));
        Files.writeString(kernel.root.resolve("boot_id"), "two\n");

        detach(namespace(1));

        assertThat(controllers()).hasSize(1);
    }

    @Test
    void what_another_driver_staged_is_recognised_and_given_back() throws IOException {
        kernel.connect("transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN);
        kernel.connect("transport=tcp,traddr=fe80::1,trsvcid=4421,nqn=" + NQN);
        MountEntry mount = new MountEntry(9, 1, "259:1", "/", "/mnt", List.of("rw"), "ext4", "/dev/nvme1n1", List.of());

        Attachment.Nvmeof found =
                kernel.attacher().recognise(mount, TestWork.patient()).orElseThrow();
        kernel.attacher().detach(found, Map.of("recognised", "its mount"), TestWork.patient());

        assertThat(found).isEqualTo(namespace(2, "tcp://10.0.0.1:4420", "tcp://[fe80::1]:4421"));
        assertThat(controllers()).isEmpty();
    }

    @Test
    void a_disk_of_the_node_itself_is_not_recognised() throws IOException {
        kernel.connect("transport=pcie,traddr=0000:01:00.0,trsvcid=,nqn=" + NQN);
        MountEntry mount = new MountEntry(9, 1, "259:0", "/", "/mnt", List.of("rw"), "ext4", "/dev/nvme0n1", List.of());

        assertThat(kernel.attacher().recognise(mount, TestWork.patient())).isEmpty();
    }

    @Test
    void a_dead_way_is_left_out_and_used_once_it_answers() throws InterruptedException {
        kernel.silent.add("10.0.0.2");
        NvmeofAttacher attacher = kernel.attacher(Duration.ofMillis(20));
        var request = new Attach<>(
                "v:one",
                namespace(1, "tcp://10.0.0.2", "tcp://10.0.0.1"),
                TestVolumes.BLOCK,
                Map.of(),
                Map.of(),
                Map.of());

        kernel.stage("v:one", request.attachment());
        assertThat(attacher.attach(request, TestWork.patient())).isNotNull();
        assertThat(controllers()).hasSize(1);
        kernel.silent.clear();

        for (int i = 0; i < 500 && controllers().size() < 2; i++) {
            Thread.sleep(10);
        }
        assertThat(controllers()).hasSize(2);
        attacher.detach(namespace(1), Map.of(), TestWork.patient());
        assertThat(controllers()).isEmpty();
    }

    @Test
    void a_namespace_that_came_later_is_looked_for() {
        attach(namespace(1));
        kernel.subsystems.put(NQN, List.of(1, 2, 3));

        assertThat(attach(namespace(3))).hasFileName("nvme2n1");
    }

    @Test
    void who_does_not_answer_and_who_does_not_admit_are_told_apart() {
        kernel.silent.add("10.0.0.2");
        kernel.refusing.add("10.0.0.3");

        assertThat(failure(() -> attach(namespace(1, "tcp://10.0.0.2"))))
                .isInstanceOf(Failure.BackendUnavailable.class)
                .extracting(Failure::message)
                .asString()
                .contains("tcp://10.0.0.2:4420", "does not answer");
        assertThat(failure(() -> attach(namespace(1, "tcp://10.0.0.3"))))
                .isInstanceOf(Failure.BackendRejected.class)
                .extracting(Failure::message)
                .asString()
                .contains("host NQN");
        assertThat(failure(() -> attach(namespace(9)))).isInstanceOf(Failure.BackendRejected.class);
    }

    @Test
    void a_connection_that_only_tries_is_no_connection() {
        kernel.state = "connecting";

        assertThat(failure(() -> attach(namespace(1)))).isInstanceOf(Failure.BackendUnavailable.class);

        detach(namespace(1));
        assertThat(controllers()).isEmpty();
    }

    @Test
    void keys_reach_the_kernel_and_nothing_else() {
        kernel.options = Set.of("dhchap_secret", "dhchap_ctrl_secret");
        Map<String, Secret> secrets =
                Map.of("dhchap_secret", new Secret(KEY), "dhchap_ctrl_secret", new Secret(KEY + "\n"));

        Attached.Device device = attached(namespace(1), secrets);

        assertThat(kernel.connected.getFirst())
                .contains(",dhchap_secret=" + KEY + ",", ",dhchap_ctrl_secret=" + KEY + ",");
        assertThat(device.toString() + kernel.journal.dump() + kernel.commands).doesNotContain("ia6zGod");
    }

    @Test
    void a_key_is_kept_from_a_kernel_that_would_log_it() {
        Failure failure = failure(() -> attached(namespace(1), Map.of("dhchap_secret", new Secret(KEY))));

        assertThat(failure).isInstanceOf(Failure.NodeFault.class);
        assertThat(failure.message()).contains("CONFIG_NVME_HOST_AUTH").doesNotContain("ia6zGod");
        assertThat(kernel.connected).isEmpty();
    }
}
