package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import dev.fairlead.domain.format.FormatGuard;
import dev.fairlead.domain.format.FormatGuard.Begun;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.domain.format.FormatGuard.Decision;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real device shows of content away from its ends, of formats that were cut, and of damage. */
class DeviceGuardTest {
    private static final long SIZE = 512L << 20;

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private final LinuxMounter mounter = node.mounter();
    private final LinuxFilesystems filesystems = node.filesystems();
    private final List<Path> devices = new ArrayList<>();
    private Path device = Path.of("/nonexistent");
    private Path file = Path.of("/nonexistent");

    private Ended run(String... argv) {
        return node.programs().run(Command.of(new Effect("test", argv[0]), List.of(argv)), work);
    }

    @BeforeEach
    void make_a_device() throws IOException {
        file = Files.createTempFile("fairlead-device", "");
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(SIZE);
        }
        device = loop(file);
    }

    private Path loop(Path content) {
        Ended made = run("losetup", "--find", "--show", content.toString());
        Assumptions.assumeTrue(made.succeeded(), "left out: no loop device: " + made.trouble());
        Path loop = Path.of(made.output().strip());
        devices.add(loop);
        return loop;
    }

    @AfterEach
    void take_it_away() throws IOException {
        sandbox.close();
        for (Path one : devices) {
            var _ = run("blockdev", "--setrw", one.toString()); // or the next user of this loop device cannot write
            var _ = run("losetup", "--detach", one.toString());
        }
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".copy"));
    }

    private void write(long at, int... bytes) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(device.toFile(), "rw")) {
            all.seek(at);
            for (int one : bytes) {
                all.write(one);
            }
        }
    }

    private Decision decided(Begun begun) {
        return FormatGuard.decide(new FormatGuard.Evidence(
                filesystems.probe(device, work), Born.EMPTY, Optional.empty(), begun, HostFinding.UNKNOWN));
    }

    private Optional<String> format(String type) {
        return filesystems.format(device, type, ((Decision.Format) decided(Begun.NO)).proof(), work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext3", "ext4", "xfs", "btrfs"})
    void a_file_system_whose_beginning_is_gone_is_not_taken_for_an_empty_device(String type) throws IOException {
        var _ = format(type);
        try (RandomAccessFile all = new RandomAccessFile(device.toFile(), "rw")) {
            all.write(new byte[8 << 20]);
            all.seek(SIZE - (8 << 20));
            all.write(new byte[8 << 20]);
        }

        for (Begun begun : Begun.values()) {
            assertThat(decided(begun)).as(begun.toString()).isInstanceOf(Decision.Refuse.class);
        }
    }

    /** Writes a partition table with one partition, from the first megabyte to the last but one. */
    private Path partitioned() throws IOException {
        int start = 2048;
        int sectors = (int) (SIZE / 512) - 2 * start;
        write(446, 0, 0, 0, 0, 0x83, 0, 0, 0);
        write(454, start, start >> 8, start >> 16, start >> 24);
        write(458, sectors, sectors >> 8, sectors >> 16, sectors >> 24);
        write(510, 0x55, 0xAA);
        var _ = run("partx", "--update", device.toString());
        Optional<Path> partition = filesystems.lastPartition(device, work);
        Assumptions.assumeTrue(
                partition.filter(Files::exists).isPresent(), "left out: no partitions of loop devices: " + partition);
        return partition.get();
    }

    @Test
    void a_partition_is_found_measured_and_looked_into() throws IOException {
        Path partition = partitioned();

        assertThat(filesystems.probe(device, work).isPartitioned()).isTrue();
        assertThat(filesystems.partition(partition, work)).contains(new Filesystems.Partition(device, 1 << 20));
        assertThat(filesystems.partition(device, work)).isEmpty();
        assertThat(FormatGuard.decidePartition(filesystems.probe(partition, work), Optional.empty()))
                .isInstanceOf(Decision.Refuse.class);
        assertThat(run("mkfs.ext4", "-q", partition.toString()).succeeded()).isTrue();
        assertThat(filesystems.probe(device, work).isPartitioned()).isTrue();
        assertThat(FormatGuard.decidePartition(filesystems.probe(partition, work), Optional.empty()))
                .isInstanceOfSatisfying(
                        Decision.Use.class, it -> assertThat(it.type()).isEqualTo("ext4"));
    }

    @Test
    void data_that_begins_anywhere_is_found_by_samples() throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(device.toFile(), "rw")) {
            all.seek(100L << 20);
            byte[] data = new byte[9 << 20];
            java.util.Arrays.fill(data, (byte) 7);
            all.write(data);
        }

        assertThat(filesystems.probe(device, work).zeros()).isFalse();
    }

    @Test
    void an_xfs_whose_making_was_cut_is_made_anew_by_whom_it_was_begun() throws IOException {
        var _ = format("xfs");
        assertThat(run("xfs_db", "-x", "-c", "sb 0", "-c", "write inprogress 1", device.toString())
                        .succeeded())
                .isTrue();

        assertThat(filesystems.probe(device, work).signatures())
                .extracting(Signature::kind)
                .containsExactly(Kind.UNFINISHED);
        assertThat(decided(Begun.NO)).isInstanceOf(Decision.Refuse.class);
        assertThat(decided(Begun.ON_UNKNOWN_DEVICE)).isInstanceOf(Decision.Refuse.class);
        Decision.Format again = (Decision.Format) decided(Begun.ON_THIS_DEVICE);
        Optional<String> uuid = filesystems.format(device, "xfs", again.proof(), work);

        assertThat(decided(Begun.NO)).isEqualTo(new Decision.Use("xfs", uuid));
    }

    @Test
    void a_device_that_is_protected_is_not_written_and_can_be_written_afterwards() throws IOException {
        filesystems.writable(device, false, work);
        filesystems.writable(device, false, work);

        assertThatThrownBy(() -> write(4096, 1)).isInstanceOf(IOException.class);
        filesystems.writable(device, true, work);
        write(4096, 1);
    }

    @Test
    void readers_mount_a_protected_device_and_its_content_stays_byte_for_byte() throws IOException {
        var _ = format("ext4");
        byte[] before = digest();
        filesystems.writable(device, false, work);

        mounter.mount(
                Filesystem.of("ext4", device.toString(), filesystems.readingOptions("ext4")),
                sandbox.directory("place"),
                work);

        assertThat(sandbox.mounts()).hasSize(1);
        sandbox.close();
        assertThat(digest()).isEqualTo(before);
    }

    private byte[] digest() throws IOException {
        try {
            return java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_device_has_an_identity_that_changes_with_its_size() throws IOException {
        String before = filesystems.identity(device, work);
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(2 * SIZE);
        }
        assertThat(run("losetup", "--set-capacity", device.toString()).succeeded())
                .isTrue();

        assertThat(before).contains("size=" + SIZE);
        assertThat(filesystems.identity(device, work)).isNotEqualTo(before);
    }

    @Test
    void a_file_system_is_repaired_if_its_program_does_it_unasked_and_refused_otherwise() throws IOException {
        var _ = format("ext4");
        filesystems.check(device, "ext4", Optional.empty(), Born.UNTOLD, work);
        assertThat(run("debugfs", "-w", "-R", "set_super_value free_blocks_count 7", device.toString())
                        .succeeded())
                .isTrue();
        assertThat(run("tune2fs", "-E", "force_fsck", device.toString()).succeeded())
                .isTrue();

        filesystems.check(device, "ext4", Optional.empty(), Born.UNTOLD, work);

        var _ = run("debugfs", "-w", "-R", "clri <2>", device.toString());
        var _ = run("tune2fs", "-E", "force_fsck", device.toString());
        assertThatThrownBy(() -> filesystems.check(device, "ext4", Optional.empty(), Born.UNTOLD, work))
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
    }

    @Test
    void what_is_mounted_at_another_path_is_not_checked() throws IOException {
        var _ = format("ext4");
        mount("ext4", device, "elsewhere");

        filesystems.check(device, "ext4", Optional.empty(), Born.UNTOLD, work);
        mount("ext4", device, "here");

        assertThat(sandbox.mounts()).hasSize(2);
    }

    @Test
    void a_copy_of_an_xfs_is_mounted_beside_its_source() throws IOException {
        Optional<String> uuid = format("xfs");
        Path copied = Files.copy(file, file.resolveSibling(file.getFileName() + ".copy"));
        mount("xfs", device, "source");
        filesystems.check(device, "xfs", uuid, Born.EMPTY, work);
        Path copy = loop(copied);

        filesystems.check(copy, "xfs", uuid, Born.COPIED, work);
        mount("xfs", copy, "copy");

        assertThat(sandbox.mounts()).hasSize(2);
    }

    private void mount(String type, Path from, String name) throws IOException {
        mounter.mount(
                Filesystem.of(type, from.toString(), filesystems.mountOptions(type)), sandbox.directory(name), work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"suid", "dev", "remount", "x-mount.mkdir", "-o", "noatime\nro"})
    void hostile_options_are_refused_by_their_field(String option) {
        assertThatThrownBy(() -> filesystems.checkOptions("mount_flags", List.of(option)))
                .hasMessageContaining("mount_flags");
    }
}
