package dev.fairlead.adapter.local.pool.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ZFS pool a folder is in, by mounts as a kernel with ZFS tells them. */
class RoomIdentityTest {
    private static final String MOUNTS = """
            22 1 0:20 / / rw,relatime - zfs rpool/ROOT/linux rw,xattr
            23 22 0:30 / /var/lib/pools/a rw shared:5 master:1 - zfs tank/pools/a rw,xattr
            24 22 0:31 / /var/lib/pools/b rw - zfs tank rw,xattr
            25 22 0:300 / /var/lib/pools/c rw - tmpfs tank/none rw
            26 22 0:32 / /mnt rw - zfs tank/x rw
            27 26 0:32 / /mnt rw - tmpfs none rw
            28 22 8:1 broken
            """;

    @TempDir(factory = InMemory.class)
    Path folder;

    private RoomIdentity identity() throws Exception {
        return new RoomIdentity(Files.writeString(folder.resolve("mountinfo"), MOUNTS));
    }

    @Test
    void datasets_of_one_pool_are_in_its_room() throws Exception {
        assertThat(identity().pool(0x14)).contains("rpool");
        assertThat(identity().pool(0x1e)).contains("tank");
        assertThat(identity().pool(0x1f)).contains("tank");
    }

    @Test
    void another_file_system_is_in_none_and_the_last_mount_of_a_number_counts() throws Exception {
        assertThat(identity().pool(0x10002c)).isEmpty();
        assertThat(identity().pool(0x20)).isEmpty();
        assertThat(identity().pool(0x801)).isEmpty();
        assertThat(identity().pool(0x99)).isEmpty();
    }

    @Test
    void folders_of_one_file_system_are_in_one_room() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));

        assertThat(RoomIdentity.OF_KERNEL.of(inner)).isEqualTo(RoomIdentity.OF_KERNEL.of(folder));
        assertThat(RoomIdentity.OF_KERNEL.of(Path.of("/proc"))).isNotEqualTo(RoomIdentity.OF_KERNEL.of(folder));
    }
}
