package dev.fairlead.adapter.node.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTargetsTest {
    private static final String IQN = "iqn.2003-01.org.example:one";
    private static final String NQN = "nqn.2003-01.org.example:one";

    @TempDir
    Path root;

    private BlockTargets targets;

    @BeforeEach
    void have_a_disk_of_a_session() throws IOException {
        targets = new BlockTargets(new BlockTree(root.resolve("sys")), root.resolve("dev"));
        fact("class/iscsi_session/session3/targetname", IQN);
        block("sda", "8:0", "devices/host2/session3/target2:0:0/2:0:0:1/block/sda");
    }

    private void fact(String file, String text) throws IOException {
        Path path = root.resolve("sys").resolve(file);
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, text + "\n");
    }

    private void block(String name, String numbers, String folder) throws IOException {
        Path device = Files.createDirectories(root.resolve("sys").resolve(folder));
        Path names = Files.createDirectories(root.resolve("sys/class/block"));
        Path all = Files.createDirectories(root.resolve("sys/dev/block"));
        Files.createSymbolicLink(names.resolve(name), device);
        Files.createSymbolicLink(all.resolve(numbers), device);
    }

    private Optional<String> ofNode(String name) {
        return targets.target(root.resolve("dev").resolve(name).toString(), Optional.empty());
    }

    private Optional<String> ofMount(String device, String top, String source) {
        MountEntry mount = new MountEntry(7, 1, device, top, "/mnt", List.of("rw"), "ext4", source, List.of("rw"));
        return targets.target("/mnt/data", Optional.of(mount));
    }

    @Test
    void a_disk_its_partition_and_its_map_are_of_the_target_whose_session_shows_it() throws IOException {
        block("sda1", "8:1", "devices/host2/session3/target2:0:0/2:0:0:1/block/sda/sda1");
        BlockHolders.hold(root, "sda", "dm-0", "mpath-3600", "mpatha", "");

        assertThat(ofNode("sda")).contains(IQN);
        assertThat(ofNode("sda1")).contains(IQN);
        assertThat(ofNode("dm-0")).contains(IQN);
        assertThat(ofNode("mapper/mpatha")).contains(IQN);
        assertThat(targets.target(root.resolve("sys/dev/block/8:0").toString(), Optional.empty()))
                .contains(IQN);
    }

    @Test
    void a_path_in_a_mount_is_of_the_target_of_its_device() {
        assertThat(ofMount("8:0", "/", "/dev/sda")).contains(IQN);
        assertThat(ofMount("0:40", "/", "/dev/sda")).as("a btrfs").contains(IQN);
    }

    @Test
    void a_namespace_is_of_its_subsystem_with_native_multipath_and_without() throws IOException {
        fact("devices/virtual/nvme-subsystem/nvme-subsys0/subsysnqn", NQN);
        block("nvme0n1", "259:0", "devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
        fact("devices/virtual/nvme-fabrics/ctl/nvme1/subsysnqn", NQN + "-2");
        block("nvme1n1p1", "259:1", "devices/virtual/nvme-fabrics/ctl/nvme1/nvme1n1/nvme1n1p1");

        assertThat(ofNode("nvme0n1")).contains(NQN);
        assertThat(ofNode("nvme1n1p1")).contains(NQN + "-2");
    }

    @Test
    void what_is_of_no_target_or_has_gone_is_of_none() throws IOException {
        block("vda", "254:0", "devices/pci0000:00/virtio0/block/vda");

        assertThat(ofNode("vda")).isEmpty();
        assertThat(ofNode("sdz")).isEmpty();
        assertThat(ofMount("254:0", "/", "/dev/vda")).isEmpty();
        assertThat(ofMount("0:22", "/", "proc")).isEmpty();
    }

    private Optional<String> deviceOf(String path) {
        return targets.device(path, Optional.empty());
    }

    private String dev(String name) {
        return root.resolve("dev").resolve(name).toString();
    }

    @Test
    void a_device_is_told_by_its_node_its_partition_and_its_entry_in_sysfs() throws IOException {
        block("vda", "254:0", "devices/pci0000:00/virtio0/block/vda");
        block("vda1", "254:1", "devices/pci0000:00/virtio0/block/vda/vda1");
        fact("devices/pci0000:00/virtio0/block/vda/vda1/partition", "1");

        assertThat(deviceOf(dev("vda"))).contains("the device vda");
        assertThat(deviceOf(dev("vda1"))).contains("the device vda");
        assertThat(deviceOf(root.resolve("sys/dev/block/254:1").toString())).contains("the device vda");
        assertThat(deviceOf(dev("gone"))).contains("the device " + dev("gone"));
        assertThat(deviceOf(root.resolve("dev").toString())).isEmpty();
        assertThat(deviceOf("/mnt/data")).isEmpty();
    }

    @Test
    void a_node_that_is_bound_elsewhere_is_its_device_and_a_file_system_below_dev_is_none() throws IOException {
        block("vda", "254:0", "devices/pci0000:00/virtio0/block/vda");
        String place = "/pods/volume";

        assertThat(targets.device(place, Optional.of(mount("devtmpfs", "/vda", place))))
                .contains("the device vda");
        assertThat(targets.device(dev("shm/file"), Optional.of(mount("tmpfs", "/", dev("shm")))))
                .isEmpty();
        assertThat(targets.device("/mnt/data", Optional.of(mount("ext4", "/", "/mnt"))))
                .as("it counts by its file system")
                .isEmpty();
    }

    private static MountEntry mount(String type, String top, String place) {
        return new MountEntry(7, 1, "0:5", top, place, List.of("rw"), type, "none", List.of("rw"));
    }

    @Test
    void volumes_of_a_pool_are_one() throws IOException {
        block("zd0", "230:0", "devices/virtual/block/zd0");
        block("zd16", "230:16", "devices/virtual/block/zd16");
        block("zd32", "230:32", "devices/virtual/block/zd32");
        Path links = Files.createDirectories(root.resolve("dev/zvol/tank/pvcs"));
        for (String name : List.of("zd0", "zd16")) {
            Files.writeString(root.resolve("dev").resolve(name), "");
            Files.createSymbolicLink(links.resolve("of-" + name), Path.of("../../../" + name));
        }

        assertThat(deviceOf(dev("zd0"))).contains("the pool tank");
        assertThat(deviceOf(dev("zd16"))).contains("the pool tank");
        assertThat(deviceOf(dev("zd32"))).as("a link of it is missing").contains("the device zd32");
        assertThat(deviceOf(dev("zvol/tank/pvcs/of-zd0"))).contains("the pool tank");
        assertThat(deviceOf(dev("zfs/tank/pvcs/a-dataset"))).contains("the pool tank");
    }

    @Test
    void the_host_of_a_target_is_the_first_by_name_of_those_that_its_sessions_were_asked_for() throws IOException {
        session(3, "10.0.0.2");
        session(4, "10.0.0.1");
        fact("class/iscsi_session/session4/targetname", IQN);
        session(5, "[fd00::1]");
        fact("class/iscsi_session/session5/targetname", IQN + "-2");
        fact("class/iscsi_session/session6/targetname", IQN + "-3");

        assertThat(targets.hosts()).isEqualTo(Map.of(IQN, "10.0.0.1", IQN + "-2", "fd00::1"));
    }

    private void session(int number, String host) throws IOException {
        String folder = "devices/host" + number + "/session" + number;
        fact(
                folder + "/connection" + number + ":0/iscsi_connection/connection" + number + ":0/persistent_address",
                host);
        Path entry = Files.createDirectories(root.resolve("sys/class/iscsi_session/session" + number));
        Files.createSymbolicLink(entry.resolve("device"), root.resolve("sys").resolve(folder));
    }
}
