package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** What a pod writes to its volume, and reads from it. */
final class VolumeContent {
    private static final int SIZE = 1 << 20;

    /** Far from both ends, where file systems have their marks. */
    private static final long START = 16 << 20;

    private VolumeContent() {}

    static byte[] random() {
        byte[] content = new byte[SIZE];
        new Random().nextBytes(content);
        return content;
    }

    private static Path file(KubeletVolume volume) {
        return volume.block() ? volume.pod() : volume.pod().resolve("file");
    }

    /** Writes it, and returns once the storage has it. */
    static void write(KubeletVolume volume, byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try (FileChannel file = FileChannel.open(file(volume), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.position(START);
            while (bytes.hasRemaining()) {
                var _ = file.write(bytes);
            }
            file.force(true);
        }
    }

    static byte[] read(KubeletVolume volume) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(SIZE);
        try (FileChannel file = FileChannel.open(file(volume), StandardOpenOption.READ)) {
            file.position(START);
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {
                // until it is whole
            }
        }
        return bytes.array();
    }
}
