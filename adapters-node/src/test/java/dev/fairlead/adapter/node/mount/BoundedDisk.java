package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A disk of some pages in a sandbox, which takes nothing once it is filled or read-only. */
public final class BoundedDisk {
    private final Path folder;

    private BoundedDisk(Path folder) {
        this.folder = folder;
    }

    public static BoundedDisk in(MountSandbox sandbox) throws IOException, InterruptedException {
        BoundedDisk disk = new BoundedDisk(sandbox.directory("disk"));
        mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.folder.toString());
        return disk;
    }

    public Path folder() {
        return folder;
    }

    /** Writes into a file until the disk takes nothing more, and returns the file. */
    public Path fill() throws IOException {
        Path filling = folder.resolve("filling");
        try (OutputStream out = Files.newOutputStream(filling)) {
            for (int page = 0; page < 1000; page++) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
            return filling;
        }
        throw new AssertionError("the disk is larger than it was to be");
    }

    /** @param mode {@code ro} or {@code rw} */
    public void remount(String mode) throws IOException, InterruptedException {
        mount("-o", "remount," + mode, folder.toString());
    }

    private static void mount(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("mount"), Stream.of(arguments)).toList();
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
