package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.HealthRules;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.VolumeFacts;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What this kernel makes of file systems after an error, on loop devices, and how that is seen. */
class BrokenFilesystemTest {
    private static final long SIZE = 320L << 20;

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private final LinuxMounter mounter = node.mounter();
    private Path device = Path.of("/nonexistent");
    private Path file = Path.of("/nonexistent");

    private Ended run(String... argv) {
        return node.programs().run(Command.of(new Effect("test", argv[0]), List.of(argv)), work);
    }

    @AfterEach
    void take_it_away() throws IOException {
        sandbox.close();
        var _ = run("losetup", "--detach", device.toString());
        Files.deleteIfExists(file);
    }

    private Path mounted(String type, String... options) throws IOException {
        file = Files.createTempFile("fairlead-device", "");
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(SIZE);
        }
        Ended made = run("losetup", "--find", "--show", file.toString());
        Assumptions.assumeTrue(made.succeeded(), "left out: no loop device: " + made.trouble());
        device = Path.of(made.output().strip());
        Assumptions.assumeTrue(run("mkfs." + type, device.toString()).succeeded(), "left out: no mkfs." + type);
        Path place = sandbox.directory("place");
        mounter.mount(Filesystem.of(type, device.toString(), List.of(options)), place, work);
        return place;
    }

    private List<HealthReason> seen(Path place) {
        Optional<MountEntry> mount = mounter.at(place, work);
        return HealthRules.of(new VolumeFacts(
                        place.toString(),
                        List.of(),
                        mount.map(MountEntry::facts),
                        mounter.silence(place, work),
                        Optional.empty()))
                .conditions()
                .stream()
                .map(HealthCondition::reason)
                .toList();
    }

    @Test
    void an_ext4_that_is_read_only_after_an_error_is_seen() throws IOException {
        Path place = mounted("ext4", "errors=remount-ro");
        Path trigger = Path.of("/sys/fs/ext4", device.getFileName().toString(), "trigger_fs_error");
        Assumptions.assumeTrue(Files.isWritable(trigger), "left out: this kernel's ext4 makes no error on demand");
        assertThat(seen(place)).isEmpty();

        Files.writeString(trigger, "1");

        assertThat(seen(place)).containsExactly(HealthReason.READ_ONLY_REMOUNT);
    }

    @Test
    void an_xfs_that_was_shut_down_is_seen_and_can_be_unmounted() throws IOException {
        Path place = mounted("xfs");
        assertThat(seen(place)).isEmpty();

        Assumptions.assumeTrue(
                run("xfs_io", "-x", "-c", "shutdown", place.toString()).succeeded(), "left out: no xfs_io");

        assertThat(mounter.silence(place, work).map(Silence::kind)).contains(Silence.Kind.BROKEN);
        assertThat(seen(place)).containsExactly(HealthReason.FILESYSTEM_SHUT_DOWN);
        mounter.unmount(place, work);
        assertThat(seen(place)).containsExactly(HealthReason.NOT_MOUNTED);
    }

    @Test
    void one_that_is_mounted_for_reading_is_well() throws IOException {
        assertThat(seen(mounted("ext4", "ro"))).isEmpty();
    }
}
