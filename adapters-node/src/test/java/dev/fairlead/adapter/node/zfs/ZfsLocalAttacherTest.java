package dev.fairlead.adapter.node.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract for volumes, and what is asked of {@code zfs} for datasets. */
class ZfsLocalAttacherTest implements AttacherContract<Attachment.ZfsLocal> {
    private static final String DATASET = "tank/k8s/v/pvc-d";

    private final FakeMounts mounts = new FakeMounts();
    private final ScriptedZfs zfs = new ScriptedZfs();

    @TempDir
    private Path dev = Path.of("/nonexistent");

    @Override
    public Attacher<Attachment.ZfsLocal> attacher() {
        CommandRunner programs = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                return zfs.run(command);
            }

            @Override
            public void close() {}
        };
        return new ZfsLocalAttacher(
                mounts,
                programs,
                new ZfsPools(MountSandbox.threads(), dev.resolve("kstat")),
                new BlockTree(dev.resolve("sys")),
                dev.resolve("zvol"));
    }

    @Override
    public Attachment.ZfsLocal volume(String name) {
        String asset = "tank/k8s/v/" + name;
        Path device = dev.resolve("zd-" + name);
        Path link = dev.resolve("zvol").resolve(asset);
        zfs.assets.put(asset, "-");
        mounts.existingDevice(device);
        try {
            if (!Files.exists(link)) {
                Files.createDirectories(dev.resolve("zvol/tank/k8s/v"));
                Files.createDirectories(dev.resolve("sys/class/block/zd-" + name));
                Files.createSymbolicLink(link, Files.createFile(device));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Attachment.ZfsLocal(asset);
    }

    @ParameterizedTest
    @CsvSource({"ONLINE, true", "DEGRADED, true", "SUSPENDED, false", "FAULTED, false"})
    void the_pool_is_the_way_to_its_volumes(String state, boolean usable) throws IOException {
        Files.createDirectories(dev.resolve("kstat/tank"));
        Files.writeString(dev.resolve("kstat/tank/state"), state + "\n");

        assertThat(attacher().paths(volume("pvc-a"), TestWork.patient()))
                .containsExactly(new VolumePath("pool tank", state, usable));
    }

    @Test
    void of_a_pool_that_the_module_does_not_tell_of_no_way_is_told() {
        assertThat(attacher().paths(volume("pvc-a"), TestWork.patient())).isEmpty();
    }

    @Override
    public Attachment.ZfsLocal absent() {
        return new Attachment.ZfsLocal("tank/k8s/v/absent");
    }

    @Override
    public Mounter mounter() {
        return mounts;
    }

    @Override
    public Path folder() {
        return Path.of("/staging");
    }

    private Attached attached(String asset, VolumeCapability capability) {
        return AttachCalls.attach(attacher(), new Attachment.ZfsLocal(asset), capability, Map.of());
    }

    private static VolumeCapability mount(String type, String... flags) {
        return new VolumeCapability(new VolumeCapability.Mount(type, List.of(flags)), AccessMode.SINGLE_NODE_WRITER);
    }

    @Test
    void a_dataset_is_left_to_the_node_to_mount_and_then_mounted_by_its_name() {
        zfs.assets.put(DATASET, "/tank/k8s/v/pvc-d");

        Attached attached = attached(DATASET, mount("zfs", "noatime"));

        assertThat(attached).isEqualTo(new Attached.Share(Filesystem.of("zfs", DATASET, List.of("noatime"))));
        assertThat(zfs.given)
                .containsExactly(
                        List.of("zfs", "get", "-Hp", "-o", "value", "type,mountpoint", DATASET),
                        List.of("zfs", "set", "mountpoint=legacy", DATASET),
                        List.of("zfs", "get", "-Hp", "-o", "value", "type,mountpoint", DATASET));
    }

    @Test
    void a_dataset_that_zfs_does_not_let_go_is_told_with_its_reason() {
        zfs.assets.put(DATASET, "/tank/k8s/v/pvc-d");
        zfs.obeys = false;

        assertThatThrownBy(() -> attached(DATASET, TestVolumes.MOUNT)).hasMessageContaining("busy");
    }

    @Test
    void a_dataset_is_no_raw_device_and_has_no_other_file_system() {
        zfs.assets.put(DATASET, "legacy");

        assertThatThrownBy(() -> attached(DATASET, TestVolumes.BLOCK))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isInstanceOf(Failure.Unsupported.class));
        assertThatThrownBy(() -> attached(DATASET, mount("ext4"))).hasMessageContaining("fs_type");
        assertThatThrownBy(() -> attached(volume("pvc-a").asset(), mount("zfs")))
                .hasMessageContaining("fs_type");
    }

    @Test
    void a_volume_s_link_leads_to_its_device() throws IOException {
        var device = (Attached.Device) attached(volume("pvc-a").asset(), TestVolumes.BLOCK);

        Path link = Path.of(device.facts().getOrDefault(Attacher.LINK, ""));

        assertThat(link).isNotEqualTo(device.path());
        assertThat(link.toRealPath()).isEqualTo(device.path());
    }

    @Test
    void a_volume_without_a_device_yet_is_asked_for_again() {
        zfs.assets.put("tank/k8s/v/late", "-");

        assertThatThrownBy(() -> attached("tank/k8s/v/late", mount("ext4")))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isInstanceOf(Failure.NodeFault.class))
                .hasMessageContaining("volmode");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tank",
                "-o/x",
                "tank/-x",
                "tank/../x",
                "tank/.",
                "tank/v@s",
                "tank/v#b",
                "tank//v",
                "/tank/v",
                "tank/v/",
                "tank/$(id)",
                "tank/v;id",
                "tank/v%"
            })
    void a_hostile_name_is_refused_by_its_key_before_any_program_runs(String asset) {
        assertThatThrownBy(() -> attached(asset, TestVolumes.MOUNT))
                .hasMessageContaining("volume_context.zfs_asset_name");
        assertThat(zfs.given).isEmpty();
    }

    @Test
    void a_dataset_is_recognised_if_zfs_does_not_mount_it_by_itself() {
        zfs.assets.put(DATASET, "legacy");
        zfs.assets.put("tank/home", "/home");

        assertThat(recognised("zfs", DATASET, "/")).isTrue();
        assertThat(recognised("zfs", DATASET, "/below")).isFalse();
        assertThat(recognised("zfs", "tank/home", "/")).isFalse();
        assertThat(recognised("ext4", "/dev/sda1", "/")).isFalse();
    }

    @Test
    void a_dataset_that_zfs_has_mounted_by_itself_is_used_by_nobody_there() {
        zfs.assets.put(DATASET, "/tank/k8s/v/pvc-d");
        mounted("/tank/k8s/v/pvc-d");

        assertThat(mountPoints(DATASET)).isEmpty();

        mounted("/elsewhere");
        assertThat(mountPoints(DATASET)).containsExactly("/elsewhere");
    }

    @Test
    void a_dataset_that_is_left_to_the_node_is_used_where_it_is_mounted() {
        zfs.assets.put(DATASET, "legacy");
        mounted("/staging");

        assertThat(mountPoints(DATASET)).containsExactly("/staging");
        mounts.unmount(Path.of("/staging"), TestWork.patient());
    }

    private void mounted(String place) {
        mounts.existing(Path.of(place));
        mounts.mount(Filesystem.of("zfs", DATASET, List.of()), Path.of(place), TestWork.patient());
    }

    private List<String> mountPoints(String asset) {
        return attacher().mountPoints(new Attachment.ZfsLocal(asset), TestWork.patient());
    }

    @Test
    void a_volume_with_a_file_system_is_recognised_by_its_device() {
        volume("pvc-a");

        assertThat(recognised("ext4", "/dev/zd-pvc-a", "/")).isTrue();
    }

    @Test
    void a_volume_that_was_mounted_by_its_link_is_its_own() {
        Attachment.ZfsLocal volume = volume("pvc-a");
        String link = dev.resolve("zvol").resolve(volume.asset()).toString();

        assertThat(attacher().shows(volume, ofDevice(link), TestWork.patient())).isTrue();
        assertThat(attacher().shows(volume("pvc-b"), ofDevice(link), TestWork.patient()))
                .isFalse();
    }

    @Test
    void a_mount_of_a_partition_shows_its_volume() throws IOException {
        Path folder = Files.createDirectories(dev.resolve("zvol/tank/k8s/v"));
        Files.createSymbolicLink(folder.resolve("pvc-p"), Files.createFile(dev.resolve("zd16")));
        Path blocks = Files.createDirectories(dev.resolve("sys/class/block"));
        Path part = Files.createDirectories(dev.resolve("sys/devices/zd16/zd16p2"));
        Files.writeString(part.resolve("partition"), "2\n");
        Files.createSymbolicLink(blocks.resolve("zd16p2"), part);
        Files.createDirectories(blocks.resolve("zd160"));
        var volume = new Attachment.ZfsLocal("tank/k8s/v/pvc-p");

        assertThat(attacher().shows(volume, ofDevice("/dev/zd16p2"), TestWork.patient()))
                .isTrue();
        assertThat(attacher().shows(volume, ofDevice("/dev/zd160"), TestWork.patient()))
                .isFalse();
    }

    private static MountEntry ofDevice(String source) {
        return new MountEntry(30, 20, "0:50", "/", "/globalmount", List.of("rw"), "ext4", source, List.of("rw"));
    }

    private boolean recognised(String type, String source, String root) {
        MountEntry mount =
                new MountEntry(30, 20, "0:50", root, "/globalmount", List.of("rw"), type, source, List.of("rw"));
        return attacher().recognise(mount, TestWork.patient()).isPresent();
    }
}
