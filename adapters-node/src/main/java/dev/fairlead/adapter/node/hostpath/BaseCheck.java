package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.domain.base.BaseMark;
import dev.fairlead.domain.base.VolumeBase;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a volume's folder if the mark of the base folder that it is in says that this is another base, as after two
 * disks were mounted at each other's paths. A base without a mark, or with one that cannot be read, is refused to
 * nobody: it may be of democratic-csi, or made by hand.
 */
final class BaseCheck {
    private static final Logger log = LoggerFactory.getLogger(BaseCheck.class);

    /** The most bytes of a mark; what is longer was not written by the driver. */
    private static final int MOST_BYTES = 1 << 16;

    private BaseCheck() {}

    /**
     * Checks the base of a volume.
     *
     * @param above the folder that the volume's own is in, by the descriptor from which that one is opened too
     * @param path the volume's path, for messages
     */
    static void check(PathHandle above, VolumeBase base, Path path) {
        Path up = base.levels() == 0 ? above.self() : above.self().resolve("..");
        Optional<String> other;
        try {
            other = mark(up).flatMap(base::contradictedBy);
        } catch (IOException e) {
            log.atInfo()
                    .addKeyValue("path", path)
                    .addKeyValue("why", e.getMessage())
                    .log("whose base folder a volume is in cannot be told, and is not compared");
            return;
        }
        other.ifPresent(its -> {
            throw new StorageException(new Failure.BackendUnavailable(
                    base.connection().value(),
                    path + " is on another disk now: the volume is of " + base + ", and what is mounted on this node,"
                            + " on it or above it, is of " + its + " by its mark " + BaseMark.FOLDER + "/"
                            + BaseMark.FILE + "; mount each disk at its own path, by its UUID; the volume is mounted"
                            + " once it is back"));
        });
    }

    /** Returns the mark of the folder at a path that begins at an open descriptor; empty if there is none. */
    private static Optional<BaseMark> mark(Path base) throws IOException {
        try (PathHandle folder = PathHandle.ofDirectory(base.resolve(BaseMark.FOLDER));
                PathHandle file = PathHandle.of(folder.self().resolve(BaseMark.FILE))) {
            // What is opened is what was looked at: a pipe, which would wait for a writer, is not opened.
            return Files.isRegularFile(file.self()) ? BaseMark.read(text(file.self())) : Optional.empty();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String text(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES + 1);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            return bytes.hasRemaining()
                    ? StandardCharsets.UTF_8.decode(bytes.flip()).toString()
                    : "";
        }
    }
}
