package dev.fairlead.adapter.node.file;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.BoundedDisk;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a line on a disk of the node that takes nothing. */
class NodeFileTest {
    @RegisterExtension
    private final MountSandbox sandbox = new MountSandbox();

    private final TestWork work = TestWork.patient();

    private static void isUnusable(Failure failure, Path folder, String remedy) {
        assertThat(failure).isInstanceOf(Failure.NodeDiskUnusable.class);
        assertThat(failure.message()).contains(folder.toString(), remedy);
    }

    @Test
    void a_full_disk_is_told_keeps_the_former_line_and_takes_another_once_it_has_room() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        NodeFile file = new NodeFile(disk.folder().resolve("nvme-host"));
        file.write("nvme-host", "former", work);
        Path filling = disk.fill();

        isUnusable(failure(() -> file.write("nvme-host", "later", work)), disk.folder(), "make room");

        assertThat(file.line()).isEqualTo("former");
        Files.delete(filling);
        file.write("nvme-host", "later", work);
        assertThat(file.line()).isEqualTo("later");
    }

    @Test
    void a_disk_that_is_read_only_is_told() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        NodeFile file = new NodeFile(disk.folder().resolve("nvme-host"));
        file.write("nvme-host", "former", work);
        disk.remount("ro");

        isUnusable(failure(() -> file.write("nvme-host", "later", work)), disk.folder(), "read-only");
        isUnusable(failure(() -> file.remove("nvme-host", work)), disk.folder(), "read-only");

        assertThat(file.line()).isEqualTo("former");
    }

    @Test
    void a_line_that_cannot_be_read_is_no_fault_of_the_disk_s() throws Exception {
        NodeFile folder = new NodeFile(sandbox.directory("nvme-host"));

        assertThat(failure(folder::line)).isInstanceOf(Failure.NodeFault.class);
    }
}
