package dev.fairlead.adapter.node.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Attaches a real LUN: {@code FAIRLEAD_ISCSI} names its portal and its target, divided by a comma. */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_ISCSI", matches = ".+,.+")
class IscsiOnKernelTest {
    private static final String DEAD = "10.255.255.1:3260";
    private final KernelNode node = KernelNode.of(Duration.ofSeconds(60));
    private final LinuxMounter mounter = node.mounter();
    private final FakeJournal journal = new FakeJournal();
    private final List<List<String>> run = new CopyOnWriteArrayList<>();
    private final IscsiAttacher attacher = attacher();

    /** Runs programs, and remembers which. */
    private record Remembering(CommandRunner programs, List<List<String>> run) implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            run.add(command.argv());
            return programs.run(command, work);
        }

        @Override
        public void close() {
            programs.close();
        }
    }

    private IscsiAttacher attacher() {
        return IscsiModule.attacher(
                mounter,
                journal,
                node.threads(),
                new Remembering(node.programs(), run),
                node.settings(Path.of("/nonexistent")),
                Duration.ofSeconds(2));
    }

    private static Attachment.Iscsi volume(String... more) {
        String[] words = System.getenv("FAIRLEAD_ISCSI").split(",", -1);
        return new Attachment.Iscsi(words[0], List.of(more), "", words[1], 0);
    }

    private Path attach(Attachment.Iscsi volume) {
        return attach(volume, Map.of());
    }

    private Path attach(Attachment.Iscsi volume, Map<String, Secret> secrets) {
        return AttachCalls.device(attacher, volume, secrets);
    }

    private void detach(Attachment.Iscsi volume) {
        attacher.detach(volume, Map.of(), TestWork.patient());
        assertThat(new Sysfs(Path.of("/sys")).sessions(volume.iqn())).isEmpty();
        assertThat(Path.of("/etc/iscsi/nodes", volume.iqn()))
                .satisfiesAnyOf(
                        it -> assertThat(it).doesNotExist(),
                        it -> assertThat(it).isEmptyDirectory());
    }

    @Test
    void a_lun_comes_and_goes_and_comes_again() throws IOException {
        for (int i = 0; i < 2; i++) {
            Path device = attach(volume());
            assertThat(attach(volume())).isEqualTo(device);
            assertThat(Files.newByteChannel(device).size()).isPositive();
            attacher.rescan(volume(), TestWork.patient());
            detach(volume());
            detach(volume());
        }
    }

    /** A node without multipathd, where a disk that is in use gets no second path. */
    @Test
    void a_dead_portal_costs_its_time_once_while_its_volume_is_used() {
        Attachment.Iscsi volume = volume(DEAD);
        long start = System.nanoTime();
        Attached.Device first = staged(volume);
        long between = System.nanoTime();
        List<List<String>> triesOfFirst = logins(DEAD);

        Attached.Device second = staged(volume);

        Duration again = Duration.ofNanos(System.nanoTime() - between);
        System.out.println("attached in " + (between - start) / 1_000_000 + " ms, again in " + again.toMillis());
        assertThat(triesOfFirst).hasSize(1);
        assertThat(logins(DEAD)).as("attempts at the dead portal by both").hasSize(1);
        assertThat(Duration.ofNanos(between - start)).isLessThan(Duration.ofSeconds(25));
        assertThat(again).isLessThan(Duration.ofSeconds(5));
        assertThat(second.path()).isEqualTo(first.path());
        detach(volume);
    }

    private List<List<String>> logins(String portal) {
        return run.stream()
                .filter(it -> it.contains("--login") && it.contains(portal))
                .toList();
    }

    /** {@code FAIRLEAD_ISCSI_SECOND} is another portal of the target; multipathd runs on this machine. */
    @Test
    @EnabledIfEnvironmentVariable(named = "FAIRLEAD_ISCSI_SECOND", matches = ".+:[0-9]+")
    void a_portal_that_was_cut_when_its_volume_was_attached_becomes_a_path_of_it() throws Exception {
        Attachment.Iscsi volume = volume(System.getenv("FAIRLEAD_ISCSI_SECOND"));
        route("add");
        Attached.Device device;
        try {
            device = staged(volume);
            assertThat(device.path()).asString().startsWith("/dev/dm-");
            assertThat(attacher.paths(volume, TestWork.patient())).hasSize(2);
            assertThat(usable(volume)).isEqualTo(1);
        } finally {
            route("del");
        }
        // the process that attached it is gone: another one reads the journal
        attacher().restorePaths(volume, device.facts(), TestWork.patient());
        awaitedBoth(volume);

        Path slaves = Path.of("/sys/class/block", device.path().getFileName().toString(), "slaves");
        for (int i = 0; i < 100 && slaves.toFile().list().length < 2; i++) {
            Thread.sleep(100);
        }
        assertThat(slaves.toFile().list()).hasSize(2);
        attacher.detach(volume, device.facts(), TestWork.patient());
        detach(volume);
        assertThat(slaves).doesNotExist();
    }

    private Attached.Device staged(Attachment.Iscsi volume) {
        var request = new Attach<>("v:one", volume, TestVolumes.BLOCK, Map.of(), Map.of(), Map.<String, Secret>of());
        Attached.Device device = (Attached.Device) attacher.attach(request, TestWork.patient());
        journal.write(
                new StageJournal.Entry("v:one", Path.of("/staging"), volume, true, device.facts(), Optional.empty()),
                TestWork.patient());
        return device;
    }

    private int usable(Attachment.Iscsi volume) {
        return (int) attacher.paths(volume, TestWork.patient()).stream()
                .filter(VolumePath::usable)
                .count();
    }

    private void awaitedBoth(Attachment.Iscsi volume) throws InterruptedException {
        for (int i = 0; i < 600 && usable(volume) < 2; i++) {
            Thread.sleep(100);
        }
        assertThat(usable(volume)).isEqualTo(2);
    }

    private static void route(String verb) throws IOException, InterruptedException {
        String address = System.getenv("FAIRLEAD_ISCSI_SECOND").replaceFirst(":[0-9]+$", "");
        assertThat(new ProcessBuilder("ip", "route", verb, "blackhole", address)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void nothing_is_logged_out_that_is_used() throws IOException {
        Path device = attach(volume());
        Path place = node.bindDevice(device);
        var mount = mounter.at(place, TestWork.patient()).orElseThrow();

        assertThat(attacher.shows(volume(), mount, TestWork.patient())).isTrue();
        assertThat(attacher.recognise(mount, TestWork.patient())).isPresent();
        assertThatThrownBy(() -> detach(volume())).hasMessageContaining("block_device");

        assertThat(device).exists();
        node.unbindDevice(place);
        detach(volume());
    }

    @Test
    void a_mount_of_another_mount_namespace_keeps_the_lun() throws IOException, InterruptedException {
        Path device = attach(volume());
        try (KernelNode.Elsewhere _ = KernelNode.mountElsewhere(device)) {
            assertThatThrownBy(() -> detach(volume())).hasMessageContaining("the kernel");
        }
        Thread.sleep(1000);
        detach(volume());
    }

    /** The target {@code …:chap} admits user and password, authenticates itself in turn, and has the LUNs 0 and 1. */
    @Test
    @EnabledIfEnvironmentVariable(named = "FAIRLEAD_ISCSI_CHAP", matches = ".+,.+")
    void both_ends_authenticate_themselves_and_a_lun_goes_by_itself() {
        String[] words = System.getenv("FAIRLEAD_ISCSI_CHAP").split(",", -1);
        String auth = "node-db.node.session.auth.";
        Map<String, Secret> secrets = Map.of(
                auth + "username",
                new Secret("user"),
                auth + "password",
                new Secret("a-pass-word-12"),
                auth + "username_in",
                new Secret("peer"),
                auth + "password_in",
                new Secret("mutual-word-12"));
        var first = new Attachment.Iscsi(words[0], List.of(), "", words[1], 0);
        var second = new Attachment.Iscsi(words[0], List.of(), "", words[1], 1);
        assertThatThrownBy(() -> attach(first)).hasMessageContaining("CHAP");
        attacher.detach(first, Map.of(), TestWork.patient());

        Path one = attach(first, secrets);
        assertThat(new Sysfs(Path.of("/sys")).disks(words[1], 1)).isEmpty();
        Path two = attach(second, secrets);

        assertThat(one).isNotEqualTo(two);
        attacher.detach(first, Map.of(), TestWork.patient());
        assertThat(one).doesNotExist();
        assertThat(two).exists();
        detach(second);
    }
}
