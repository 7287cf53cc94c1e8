package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.DeviceFindings.Kind;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loop devices of this machine, and its programs. */
class LinuxFilesystemsTest {
    private static final long SIZE = 320L << 20;

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private final LinuxMounter mounter = node.mounter();
    private final LinuxFilesystems filesystems = node.filesystems();
    private Path device = Path.of("/nonexistent");
    private Path file = Path.of("/nonexistent");
    private Optional<LoopDevice> loop = Optional.empty();

    private Ended run(String... argv) {
        return node.programs().run(Command.of(new Effect("test", argv[0]), List.of(argv)), work);
    }

    @BeforeEach
    void make_a_device() throws IOException {
        LoopDevice made = LoopDevice.of(node, SIZE, work);
        loop = Optional.of(made);
        file = made.file();
        device = made.path();
    }

    @AfterEach
    void take_it_away() throws IOException {
        sandbox.close();
        if (loop.isPresent()) {
            loop.get().close();
        }
    }

    private Decision decided() {
        return FormatGuard.decide(new FormatGuard.Evidence(
                filesystems.probe(device, work), Born.EMPTY, Optional.empty(), Begun.NO, HostFinding.UNKNOWN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void a_file_system_is_made_mounted_and_grown(String type) throws IOException {
        grow(type);
    }

    /** Growing ext needs CAP_SYS_RESOURCE, which a container may lack; so it is a test for a machine of its own. */
    @Tag("machine")
    @ParameterizedTest
    @ValueSource(strings = {"ext3", "ext4"})
    void a_file_system_of_ext_is_made_mounted_and_grown(String type) throws IOException {
        grow(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext3", "ext4"})
    void a_file_system_of_ext_is_made_and_mounted(String type) throws IOException {
        Optional<String> uuid = make(type);

        assertThat(uuid).isPresent();
        assertThat(decided()).isEqualTo(new Decision.Use(type, uuid));
        assertThat(sandbox.mounts()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"ext4, -L", "xfs, -L", "btrfs, --label"})
    void what_the_operator_adds_to_the_making_of_a_file_system_is_in_it(String type, String option) {
        var settings = new FilesystemSettings(Map.of(type, List.of(option, "ours")), Map.of());
        var labelling = new LinuxFilesystems(node.threads(), node.programs(), settings);
        Decision.Format may = (Decision.Format) decided();

        assertThat(labelling.format(device, type, may.proof(), work)).isPresent();

        assertThat(run("blkid", "--probe", "-o", "value", "-s", "LABEL", device.toString())
                        .output()
                        .strip())
                .isEqualTo("ours");
    }

    /** As for a second staging path: the programs refuse what is mounted, and the volume would not come to its pod. */
    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void what_is_mounted_already_is_not_checked_though_the_operator_wants_checks(String type) throws IOException {
        Optional<String> uuid = make(type);
        var settings = new FilesystemSettings(Map.of(), Map.of(type, List.of()));
        var checking = new LinuxFilesystems(node.threads(), node.programs(), settings);

        assertThatCode(() -> checking.check(device, type, uuid, Born.EMPTY, work))
                .doesNotThrowAnyException();
    }

    private Optional<String> make(String type) throws IOException {
        Path place = sandbox.directory("place");
        Decision.Format may = (Decision.Format) decided();
        Optional<String> uuid = filesystems.format(device, type, may.proof(), work);
        List<String> options = filesystems.mountOptions(type);
        mounter.mount(Filesystem.of(type, device.toString(), options), place, work);
        mounter.mount(Filesystem.of(type, device.toString(), options), place, work);
        return uuid;
    }

    private void grow(String type) throws IOException {
        Optional<String> uuid = make(type);
        Path place = sandbox.path("place");
        long before = mounter.usage(place, work).totalBytes();
        loop.orElseThrow().resize(2 * SIZE);
        assertThat(run("losetup", "--set-capacity", device.toString()).succeeded())
                .isTrue();
        filesystems.grow(device, type, place, work);
        filesystems.grow(device, type, place, work);

        assertThat(decided()).isEqualTo(new Decision.Use(type, uuid));
        assertThat(uuid).isPresent();
        assertThat(filesystems.size(device, work)).isEqualTo(2 * SIZE);
        assertThat(mounter.usage(place, work).totalBytes()).isGreaterThan(before + SIZE / 2);
        assertThat(sandbox.mounts()).hasSize(1);
    }

    @Test
    void a_raw_device_is_bound_over_a_file_and_taken_away() throws IOException {
        Path place = sandbox.directory("staging").resolve("block_device");
        Path pod = sandbox.path("staging").resolve("pod");

        mounter.bindDevice(device, place, List.of(), work);
        mounter.bindDevice(device, place, List.of(), work);
        mounter.bindDevice(place, pod, List.of("ro"), work);

        assertThat(filesystems.size(pod, work)).isEqualTo(SIZE);
        assertThat(mounter.at(pod, work).orElseThrow().readOnly()).isTrue();
        assertThat(sandbox.mounts()).hasSize(2);
        assertThatThrownBy(() -> mounter.bindDevice(Path.of("/dev/null"), pod, List.of(), work))
                .extracting("failure")
                .isInstanceOf(Failure.NodeFault.class);
        mounter.unmount(pod, work);
        mounter.unmount(place, work);
        mounter.removeDirectory(pod, work);
        mounter.removeDirectory(place, work);
        assertThat(place).doesNotExist();
    }

    @Test
    void a_device_node_in_the_way_of_another_is_a_conflict() throws IOException {
        Path place = sandbox.directory("staging").resolve("block_device");
        Files.writeString(place, "data");

        assertThatThrownBy(() -> mounter.bindDevice(device, place, List.of(), work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20, SIZE - 1, SIZE - (3 << 20)})
    void one_byte_at_either_end_is_data(long at) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.seek(at);
            all.write(1);
        }

        assertThat(filesystems.probe(device, work).zeros()).isFalse();
        assertThat(decided()).isInstanceOf(Decision.Refuse.class);
    }

    @Test
    void a_partition_table_is_recognised() throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.seek(446);
            all.write(new byte[] {0, 0, 2, 0, (byte) 0x83, 0, 4, 0, 0, 8, 0, 0, 0, 8, 0, 0});
            all.seek(510);
            all.write(new byte[] {0x55, (byte) 0xAA});
        }

        assertThat(filesystems.probe(device, work).signatures())
                .extracting(DeviceFindings.Signature::kind)
                .containsExactly(Kind.PARTITION_TABLE);
    }

    @Test
    void swap_is_foreign() {
        assertThat(run("mkswap", device.toString()).succeeded()).isTrue();

        assertThat(decided())
                .isInstanceOfSatisfying(
                        Decision.Refuse.class, it -> assertThat(it.reason()).isEqualTo(FormatGuard.Reason.FOREIGN));
    }

    @Test
    void a_device_that_is_not_there_is_an_error() {
        assertThatThrownBy(() -> filesystems.probe(Path.of("/dev/absent"), work))
                .extracting("failure")
                .isInstanceOf(Failure.NodeFault.class);
    }

    @Test
    void what_the_mount_program_says_is_told_and_no_secret() {
        assertThatThrownBy(() -> mounter.mount(
                        Filesystem.of("ext4", device.toString(), List.of("nonsense", "password=hunter2")),
                        sandbox.directory("place"),
                        work))
                .hasMessageContaining("FL-NODE-006")
                .hasMessageNotContaining("hunter2");
    }
}
