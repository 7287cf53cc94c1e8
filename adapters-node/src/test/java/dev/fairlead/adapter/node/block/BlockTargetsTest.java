package dev.fairlead.adapter.node.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
