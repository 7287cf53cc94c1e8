package dev.fairlead.adapter.node.nvmeof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeJournal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Attaches namespaces of a target of this machine's own kernel, by its NVMe host. */
@Tag("machine")
@EnabledIf("hasTarget")
class NvmeofOnKernelTest {
    private static final int ONE = 4431;
    private static final int TWO = 4432;
    private static final String KEY = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:";

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private final LinuxMounter mounter = node.mounter();
    private final NvmeofSysfs sysfs = new NvmeofSysfs(Path.of("/sys"));
    private final FakeJournal journal = new FakeJournal();

    @TempDir
    private Path folder;

    private LocalTarget target;
    private NvmeofAttacher attacher;

    /** Says whether this machine's kernel can be a target. */
    static boolean hasTarget() throws IOException, InterruptedException {
        return MountSandbox.mayMount()
                && new ProcessBuilder("modprobe", "nvmet-tcp").start().waitFor() == 0;
    }

    @BeforeEach
    void aTargetWithTwoNamespaces() throws Exception {
        target = new LocalTarget("nqn.2026-11.test.lab:kernel", 2, ONE, TWO);
        attacher = NvmeofModule.attacher(
                mounter, journal, node.threads(), node.programs(), node.settings(folder), Duration.ofMillis(500));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        for (NvmeofSysfs.Controller left : sysfs.controllers(target.nqn())) {
            Files.writeString(left.folder().resolve("delete_controller"), "1");
        }
        target.close();
    }

    private Attachment.Nvmeof namespace(int nsid, String transport, String... more) {
        return new Attachment.Nvmeof(transport, List.of(more), target.nqn(), nsid);
    }

    private Attachment.Nvmeof namespace(int nsid) {
        return namespace(nsid, LocalTarget.transport(ONE));
    }

    private Path attach(Attachment.Nvmeof volume, Map<String, Secret> secrets) {
        return AttachCalls.device(attacher, volume, secrets);
    }

    private Path attach(Attachment.Nvmeof volume) {
        return attach(volume, Map.of());
    }

    private void detach(Attachment.Nvmeof volume) {
        attacher.detach(volume, Map.of(), TestWork.patient());
    }

    private static long size(Path device) throws IOException {
        try (FileChannel channel = FileChannel.open(device)) {
            return channel.size();
        }
    }

    private static boolean within(Duration most, Condition condition) throws Exception {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(20);
        }
        return true;
    }

    /** Something that is waited for. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    @Test
    void a_namespace_comes_and_goes_and_comes_again() throws IOException {
        for (int i = 0; i < 2; i++) {
            long start = System.nanoTime();
            Path device = attach(namespace(1));
            System.out.println("attached in " + (System.nanoTime() - start) / 1_000_000 + " ms");
            assertThat(attach(namespace(1))).isEqualTo(device);
            assertThat(size(device)).isEqualTo(64L << 20);
            detach(namespace(1));
            assertThat(sysfs.controllers(target.nqn())).isEmpty();
            assertThat(device).doesNotExist();
            detach(namespace(1));
        }
    }

    @Test
    void the_kernel_took_what_it_was_told() throws IOException {
        attach(namespace(1, LocalTarget.transport(ONE) + "?keep-alive-tmo=7&nr-io-queues=1"));

        Path controller = sysfs.controllers(target.nqn()).getFirst().folder();
        assertThat(Files.readString(controller.resolve("ctrl_loss_tmo")).strip())
                .isEqualTo("1800");
        assertThat(Files.readString(controller.resolve("reconnect_delay")).strip())
                .isEqualTo("5");
        assertThat(Files.readString(controller.resolve("kato")).strip()).isEqualTo("7");
        assertThat(Files.readString(controller.resolve("hostnqn")).strip()).startsWith("nqn.");
        detach(namespace(1));
    }

    @Test
    void two_ways_are_one_device_and_a_dead_one_is_used_once_it_answers() throws Exception {
        target.hide(TWO);
        Attachment.Nvmeof volume = namespace(1, LocalTarget.transport(TWO), LocalTarget.transport(ONE));
        journal.stage("v:nas/pvc-1", volume, Map.of()); // dead ways are tried again for volumes that it names

        Path device = attach(volume);
        assertThat(sysfs.controllers(target.nqn())).hasSize(1);
        target.show(TWO);

        assertThat(within(
                        Duration.ofSeconds(20),
                        () -> sysfs.controllers(target.nqn()).size() == 2))
                .isTrue();
        assertThat(sysfs.namespaces(target.nqn(), 1)).hasSize(1);
        assertThat(attach(volume)).isEqualTo(device);
        detach(volume);
        assertThat(sysfs.controllers(target.nqn())).isEmpty();
    }

    @Test
    void an_address_that_nobody_has_costs_its_time_once() {
        long start = System.nanoTime();
        attach(namespace(1, "tcp://10.255.255.1:4420", LocalTarget.transport(ONE)));
        System.out.println("with a dead address: " + (System.nanoTime() - start) / 1_000_000 + " ms");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        detach(namespace(1));
    }

    @Test
    void a_namespace_of_a_shared_subsystem_goes_by_itself() throws IOException {
        Path one = attach(namespace(1));
        Path two = attach(namespace(2));
        assertThat(sysfs.controllers(target.nqn())).hasSize(1);
        Path place = node.bindDevice(two);

        detach(namespace(1));

        assertThat(one).isNotEqualTo(two);
        assertThat(size(two)).isPositive();
        node.unbindDevice(place);
        detach(namespace(2));
        assertThat(sysfs.controllers(target.nqn())).isEmpty();
    }

    @Test
    void nothing_is_disconnected_that_is_used() {
        Path place = node.bindDevice(attach(namespace(1)));
        MountEntry mount = mounter.at(place, TestWork.patient()).orElseThrow();

        assertThat(attacher.shows(namespace(1), mount, TestWork.patient())).isTrue();
        assertThat(attacher.shows(namespace(2), mount, TestWork.patient())).isFalse();
        assertThat(attacher.recognise(mount, TestWork.patient())).contains(namespace(1));
        assertThatThrownBy(() -> detach(namespace(1))).hasMessageContaining("block_device");

        assertThat(sysfs.controllers(target.nqn())).hasSize(1);
        node.unbindDevice(place);
        detach(namespace(1));
    }

    @Test
    void a_mount_of_another_mount_namespace_keeps_the_connection() throws Exception {
        Path device = attach(namespace(1));
        try (KernelNode.Elsewhere _ = KernelNode.mountElsewhere(device)) {
            assertThatThrownBy(() -> detach(namespace(1))).hasMessageContaining("the kernel");
            detach(namespace(2));
            assertThat(sysfs.controllers(target.nqn())).hasSize(1);
        }

        assertThat(within(Duration.ofSeconds(20), () -> {
                    try {
                        detach(namespace(1));
                        return true;
                    } catch (StorageException _) {
                        return false;
                    }
                }))
                .isTrue();
    }

    @Test
    void a_server_that_is_gone_holds_up_neither_detaching_nor_attaching() throws Exception {
        attach(namespace(1));
        target.hide(ONE);
        target.hide(TWO);
        assertThat(within(
                        Duration.ofSeconds(20),
                        () -> sysfs.controllers(target.nqn()).stream().noneMatch(NvmeofSysfs.Controller::isLive)))
                .isTrue();

        long start = System.nanoTime();
        detach(namespace(1));
        assertThat(sysfs.controllers(target.nqn())).isEmpty();
        assertThatThrownBy(() -> attach(namespace(1))).hasMessageContaining("does not answer");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void a_volume_that_grew_is_seen_larger() throws IOException {
        Path device = attach(namespace(1));

        target.grow(1, 96L << 20);
        attacher.rescan(namespace(1), TestWork.patient());

        assertThat(size(device)).isEqualTo(96L << 20);
        detach(namespace(1));
    }

    @Test
    void a_subsystem_that_does_not_know_the_node_is_told() {
        Attachment.Nvmeof stranger =
                new Attachment.Nvmeof(LocalTarget.transport(ONE), List.of(), "nqn.2026-11.test.lab:none", 1);

        assertThatThrownBy(() -> attach(stranger)).hasMessageContaining("did not admit this node");
        detach(stranger);
        assertThat(sysfs.controllers(stranger.nqn())).isEmpty();
    }

    @Test
    void a_key_never_reaches_the_log_of_a_kernel_that_cannot_use_it() throws Exception {
        try {
            attach(namespace(1), Map.of("dhchap_secret", new Secret(KEY)));
            detach(namespace(1));
        } catch (StorageException e) {
            assertThat(e.failure().message()).doesNotContain("ia6zGod");
        }
        Process log = new ProcessBuilder("dmesg").start();
        assertThat(new String(log.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .isNotEmpty()
                .doesNotContain("ia6zGod");
    }
}
