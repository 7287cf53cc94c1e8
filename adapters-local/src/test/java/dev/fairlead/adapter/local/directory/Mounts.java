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
