package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallsTest {
    private static final int CALLS = 50_000;

    @Test
    void a_call_boxes_none_of_its_arguments(@TempDir Path folder) throws LinuxException {
        try (FileCalls calls = new FileCalls()) {
            int opened = calls.openFolder(folder);
            rewind(calls, opened);

            long allocated = allocated(() -> rewind(calls, opened));

            calls.closeFile(opened);
            assertThat(allocated / CALLS).as("bytes per call").isLessThan(64);
        }
    }

    private static void rewind(FileCalls calls, int opened) throws LinuxException {
        for (int i = 0; i < CALLS; i++) {
            calls.rewind(opened);
        }
    }

    private static long allocated(Calls calls) throws LinuxException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        calls.make();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Calls of the kernel. */
    @FunctionalInterface
    private interface Calls {
        void make() throws LinuxException;
    }

    @Test
    void a_subvolume_of_btrfs_is_in_the_mount_of_its_parent() {
        FileStat parent = stat(30, 7);

        assertThat(parent.sameMount(stat(31, 7))).isTrue(); // a device number of its own
        assertThat(parent.sameMount(stat(30, 8))).isFalse(); // a bind mount of the same file system
        assertThat(stat(30, 0).sameMount(stat(31, 0))).isFalse(); // a kernel that tells of no mounts
    }

    private static FileStat stat(long filesystem, long mount) {
        return new FileStat(0040755, 1, 0, 0, 256, 0, 0, 0, 0, 0, filesystem, mount, 0);
    }
}
