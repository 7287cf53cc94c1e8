package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a btrfs beside their source: really mounted on loop devices, and as the kernel may show them. */
class BtrfsCopiesTest {
    private static final long SIZE = 256L << 20;
    private static final Path FEATURE = Path.of("/sys/fs/btrfs/features/temp_fsid");

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @TempDir
    Path temporary = Path.of("/nonexistent");

    private final KernelNode node = KernelNode.of(Duration.ofSeconds(30));
    private final LinuxMounter mounter = node.mounter();
    private final LinuxFilesystems filesystems = node.filesystems();
    private final BtrfsCopies copies = BtrfsCopies.ofThisKernel(programs());
    private final List<Path> devices = new ArrayList<>();
    private Path file = Path.of("/nonexistent");
    private Optional<String> uuid = Optional.empty();

    private DevicePrograms programs() {
        return new DevicePrograms(
                node.threads(),
                node.programs(),
                java.time.InstantSource.system(),
                new Partitions(new BlockTree(Path.of("/sys")), Path.of("/dev")));
    }

    private Ended run(String... argv) {
        return node.programs().run(Command.of(new Effect("test", argv[0]), List.of(argv)), work);
    }

    @BeforeEach
    void make_a_btrfs() throws IOException {
        file = sized("source", SIZE);
        assertThat(run("mkfs.btrfs", "-q", file.toString()).succeeded()).isTrue();
        uuid = Optional.of(run("blkid", "--probe", "-o", "value", "-s", "UUID", file.toString())
                .output()
                .strip());
    }

    @AfterEach
    void take_it_away() throws IOException {
        sandbox.close();
        devices.forEach(it -> {
            var _ = run("losetup", "--detach", it.toString());
        });
    }

    private Path sized(String name, long size) throws IOException {
        Path sized = temporary.resolve(name);
        try (RandomAccessFile all = new RandomAccessFile(sized.toFile(), "rw")) {
            all.setLength(size);
        }
        return sized;
    }

    private Path loop(Path content) {
        Ended made = run("losetup", "--find", "--show", content.toString());
        Assumptions.assumeTrue(made.succeeded(), "left out: no loop device: " + made.trouble());
        Path device = Path.of(made.output().strip());
        devices.add(device);
        return device;
    }

    private Path mount(Path device, String name) throws IOException {
        Path place = sandbox.directory(name);
        mounter.mount(Filesystem.of("btrfs", device.toString(), filesystems.mountOptions("btrfs")), place, work);
        return place;
    }

    private Path copy() throws IOException {
        return loop(Files.copy(file, temporary.resolve("copy")));
    }

    /** Mounts a source, writes to its log, and copies it as a snapshot of the storage would. */
    private Path copyWithLog() throws IOException {
        Path place = mount(loop(file), "source");
        assertThat(run("sync", "--file-system", place.toString()).succeeded()).isTrue();
        Files.write(place.resolve("logged"), new byte[8192]);
        assertThat(run("sync", place.resolve("logged").toString()).succeeded()).isTrue();
        return copy();
    }

    private static void needsKernel() {
        Assumptions.assumeTrue(Files.exists(FEATURE), "left out: a kernel before 6.7 has no copies side by side");
    }

    @Test
    void a_copy_is_mounted_beside_its_source_with_all_that_was_synced_and_grows() throws IOException {
        needsKernel();
        Path copy = copyWithLog();
        filesystems.check(copy, "btrfs", uuid, Born.COPIED, work);
        Path place = mount(copy, "copy");

        Files.writeString(place.resolve("own"), "data");

        assertThat(place.resolve("logged")).hasSize(8192);
        assertThat(sandbox.path("source").resolve("own")).doesNotExist();
        assertThat(sandbox.mounts()).hasSize(2);
        assertThat(copies.isMounted(copy, uuid, Born.UNTOLD, work)).isTrue();
        var _ = mount(copy, "again");
        long before = mounter.usage(place, work).totalBytes();
        var _ = sized("copy", 2 * SIZE);
        assertThat(run("losetup", "--set-capacity", copy.toString()).succeeded())
                .isTrue();
        filesystems.grow(copy, "btrfs", place, work);
        assertThat(mounter.usage(place, work).totalBytes()).isEqualTo(before + SIZE);
    }

    @Test
    void a_copy_that_outlives_the_mount_of_its_source_is_still_seen_to_be_mounted() throws IOException {
        needsKernel();
        Path source = loop(file);
        Path place = mount(source, "source");
        Path copy = copy();
        var _ = mount(copy, "copy");

        mounter.unmount(place, work);

        assertThat(copies.isMounted(copy, uuid, Born.COPIED, work)).isTrue();
        assertThat(copies.isMounted(source, uuid, Born.EMPTY, work)).isFalse();
        var _ = mount(source, "source");
        assertThat(sandbox.mounts()).hasSize(2);
    }

    @Test
    void a_check_that_the_operator_wants_is_done_beside_a_mounted_source() throws IOException {
        needsKernel();
        var _ = mount(loop(file), "source");
        Path copy = copy();
        var settings = new FilesystemSettings(Map.of(), Map.of("btrfs", List.of("-q")));

        new LinuxFilesystems(node.threads(), node.programs(), settings).check(copy, "btrfs", uuid, Born.COPIED, work);

        mount(copy, "copy");
        assertThat(sandbox.mounts()).hasSize(2);
    }

    @Test
    void what_is_not_known_to_be_a_copy_is_refused_beside_another() throws IOException {
        var _ = mount(loop(file), "source");
        Path copy = copy();

        for (Born born : List.of(Born.UNTOLD, Born.EMPTY)) {
            Failure refused = Failing.failure(() -> filesystems.check(copy, "btrfs", uuid, born, work));
            assertThat(refused).isInstanceOf(Failure.MountFailed.class);
            assertThat(refused.message()).contains(uuid.orElseThrow(), "btrfstune -m");
        }
    }

    @Test
    void a_btrfs_that_cannot_be_read_is_never_mounted_beside_another() throws IOException {
        Path another = loop(sized("blank", SIZE));
        var _ = mount(loop(file), "source");

        Failing.with(Failure.NodeFault.class, () -> filesystems.check(another, "btrfs", uuid, Born.COPIED, work));
    }

    @Test
    void beside_no_other_everything_is_mounted() throws IOException {
        Path device = loop(file);

        filesystems.check(device, "btrfs", uuid, Born.UNTOLD, work);

        assertThat(copies.isMounted(device, uuid, Born.UNTOLD, work)).isFalse();
        var _ = mount(device, "place");
        assertThat(copies.isMounted(device, uuid, Born.UNTOLD, work)).isTrue();
    }

    /** Makes a folder as sysfs has it of a kernel on which a btrfs with the UUID is mounted from these disks. */
    private BtrfsCopies kernel(boolean modern, boolean temporaryUuid, List<String> wwids) throws IOException {
        Path kernel = Files.createDirectories(temporary.resolve("kernel"));
        Path mounted = kernel.resolve(temporaryUuid ? "6d2b1a3c-0000-4000-8000-000000000001" : uuid.orElseThrow());
        Files.createDirectories(kernel.resolve("features"));
        if (modern) {
            Files.writeString(kernel.resolve("features/temp_fsid"), "0\n");
        }
        for (int i = 0; i < wwids.size(); i++) {
            disk(mounted.resolve("devices/sd" + i), wwids.get(i));
        }
        if (modern) {
            Files.writeString(mounted.resolve("temp_fsid"), temporaryUuid ? "1\n" : "0\n");
        }
        return new BtrfsCopies(programs(), kernel);
    }

    private static DeviceFacts disk(Path folder, String wwid) throws IOException {
        Files.createDirectories(folder.resolve("device"));
        Files.writeString(folder.resolve("device/serial"), "same\n");
        if (!wwid.isEmpty()) {
            Files.writeString(folder.resolve("wwid"), wwid + "\n");
        }
        return new DeviceFacts(folder);
    }

    private Optional<String> objection(BtrfsCopies of, String wwid, Born born) throws IOException {
        return of.objection(file, disk(temporary.resolve("own" + wwid), wwid), uuid, born);
    }

    @Test
    void one_disk_that_came_by_two_ways_is_never_mounted_twice() throws IOException {
        assertThat(objection(kernel(true, false, List.of("one")), "one", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("the same disk as sd0"));
    }

    @Test
    void one_disk_is_also_recognised_if_its_mount_has_a_uuid_for_a_time() throws IOException {
        assertThat(objection(kernel(true, true, List.of("one")), "one", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("the same disk as sd0"));
        assertThat(objection(kernel(true, true, List.of("one")), "two", Born.UNTOLD))
                .isEmpty();
    }

    @Test
    void a_source_is_mounted_beside_its_copy_if_their_numbers_differ() throws IOException {
        assertThat(objection(kernel(true, false, List.of("one")), "two", Born.UNTOLD))
                .isEmpty();
        assertThat(objection(kernel(true, false, List.of("one")), "", Born.COPIED))
                .isEmpty();
        assertThat(objection(kernel(true, false, List.of("one")), "", Born.EMPTY))
                .isPresent();
    }

    @Test
    void several_devices_are_not_mounted_beside_others() throws IOException {
        assertThat(objection(kernel(true, false, List.of("one", "two")), "three", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("one device"));
    }

    @Test
    void one_device_of_several_is_not_mounted_beside_another() throws IOException {
        assertThat(run(
                                "mkfs.btrfs",
                                "-q",
                                "-f",
                                file.toString(),
                                sized("second", SIZE).toString())
                        .succeeded())
                .isTrue();

        assertThat(objection(kernel(true, false, List.of("one")), "two", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("one device"));
    }

    @Test
    void a_seed_is_not_mounted_beside_another() throws IOException {
        assertThat(run("btrfstune", "-S", "1", file.toString()).succeeded()).isTrue();

        assertThat(objection(kernel(true, false, List.of("one")), "two", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("seeds"));
    }

    @Test
    void an_older_kernel_mounts_no_copy_and_the_remedy_fits_its_log() throws IOException {
        assertThat(objection(kernel(false, false, List.of("one")), "two", Born.COPIED))
                .hasValueSatisfying(it -> assertThat(it).contains("6.7", "btrfstune -m"));
        Path logged = copyWithLog();

        Optional<String> objection = kernel(false, false, List.of("one"))
                .objection(logged, disk(temporary.resolve("own"), "two"), uuid, Born.COPIED);

        assertThat(objection)
                .hasValueSatisfying(it ->
                        assertThat(it).contains("replays its log", "unusable").doesNotContain("btrfstune -m"));
    }
}
