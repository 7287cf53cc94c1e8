package dev.fairlead.benchmarks;

import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes operations of the kernel alone, which do the least that an honest driver has to do. */
final class Floors {
    private static final ByteBuffer RECORD = ByteBuffer.allocate(512).asReadOnlyBuffer();

    private Floors() {}

    /** Returns an operation that makes a directory, and beside it one small file that would survive a power cut. */
    static Load.Operation syncedDirectory(Path folder) {
        return index -> {
            Files.createDirectory(folder.resolve("d" + index));
            try (FileChannel file = FileChannel.open(
                    folder.resolve("f" + index), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                int _ = file.write(RECORD.duplicate());
                file.force(true);
            }
        };
    }

    /**
     * Returns an operation that makes a bind mount by mount(2) and takes it away again, which publishing and
     * unpublishing cannot do without.
     */
    static Load.Operation bindMount(Path folder) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        return index -> {
            Path target = Files.createDirectory(folder.resolve("m" + index));
            try (PathHandle from = PathHandle.ofDirectory(source);
                    PathHandle at = PathHandle.ofDirectory(target)) {
                MountCalls.bind(from, at);
            }
            MountCalls.unmount(target);
            Files.delete(target);
        };
    }

    static Path freshFolder(Path parent) throws IOException {
        return Files.createTempDirectory(parent, "floor");
    }
}
