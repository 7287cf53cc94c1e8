package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What an administrator mounts under a process. */
public final class Mounts {
    private Mounts() {}

    /** Mounts an empty file system; leaves the test out where that is not allowed. */
    public static void assumeTmpfs(Path at) throws IOException, InterruptedException {
        assumeTrue(run("mount", "-t", "tmpfs", "fairlead-test", at.toString()), "left out: no right to mount");
    }

    /** Mounts a file or folder at another place; leaves the test out where that is not allowed. */
    public static void assumeBound(Path shown, Path at) throws IOException, InterruptedException {
        assumeTrue(run("mount", "--bind", shown.toString(), at.toString()), "left out: no right to mount");
    }

    /**
     * Makes a file system of this size in a file and mounts it; leaves the test out where that is not allowed.
     *
     * @param mkfs the command that makes it, without the file
     */
    public static void assumeLoop(Path file, String size, String mkfs, Path at)
            throws IOException, InterruptedException {
        assumeTrue(loop(file, size, mkfs, "", at), "left out: this kernel or user mounts no " + mkfs);
    }

    /**
     * Makes a file system of this size in a file and mounts it; returns whether that is allowed.
     *
     * @param options of the mount, each with a comma before it
     */
    public static boolean loop(Path file, String size, String mkfs, String options, Path at)
            throws IOException, InterruptedException {
        // Two that ask for a free loop device at once may get the same one, the second for reading alone.
        String script = """
                truncate -s %1$s %3$s && %2$s %3$s || exit 1
                for i in 1 2 3 4 5; do
                  mount -o loop%4$s %3$s %5$s || exit 1
                  [ -w %5$s ] && exit 0
                  umount %5$s
                  sleep 1
                done
                exit 1""".formatted(size, mkfs, file, options, at);
        return run("sh", "-c", script);
    }

    /**
     * Turns on quotas that do not count what is shared, which Linux has from 6.7 on. The btrfs program of most systems
     * is older than that, so this asks the kernel itself (BTRFS_IOC_QUOTA_CTL, command 4).
     */
    public static void enableSimpleQuotas(Path at) throws IOException, InterruptedException {
        String script = "import fcntl, os, struct, sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0xC0109428,"
                + " struct.pack('QQ', 4, 0))";
        assertThat(run("python3", "-c", script, at.toString()))
                .as("simple quotas are turned on")
                .isTrue();
    }

    public static void bind(Path folder, Path at) throws IOException, InterruptedException {
        assertThat(run("mount", "--bind", folder.toString(), at.toString())).isTrue();
    }

    /** Unmounts what is mounted there, if anything is. */
    public static void unmount(Path at) throws IOException, InterruptedException {
        var _ = run("umount", at.toString());
    }

    public static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such program
        }
    }
}
