package dev.fairlead.adapter.local.directory.record;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.base.FlatJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the small files beside volumes. A file is replaced completely or not at all. */
public final class Records {
    private static final Logger LOG = LoggerFactory.getLogger(Records.class);
    private static final int MOST_BYTES = 1 << 20;
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private Records() {}

    /** Returns the fields of a file; one that is incomplete or unreadable counts as absent, with a warning. */
    public static Optional<SortedMap<String, String>> read(Path file) throws IOException {
        String text;
        try {
            text = text(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(FlatJson.parse(text));
        } catch (IllegalArgumentException e) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("why", e.getMessage())
                    .log("a record cannot be read and counts as absent");
            return Optional.empty();
        }
    }

    private static String text(Path file) throws IOException {
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = channel.size();
            if (size > MOST_BYTES) {
                return "";
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return "";
        }
    }

    /** Writes and syncs a file beside the record; {@link #put} renames it to its place. */
    public static void prepare(Path beside, SortedMap<String, String> fields, Work work) throws IOException {
        byte[] bytes = FlatJson.format(fields).getBytes(StandardCharsets.UTF_8);
        work.effect(new Effect("write", beside.toString()), () -> write(beside, bytes));
    }

    /** Writes a file of this process's own, which is no effect of a call; its folder is not synced. */
    public static void replace(Path file, Path draft, SortedMap<String, String> fields) throws IOException {
        write(draft, FlatJson.format(fields).getBytes(StandardCharsets.UTF_8));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(Path beside, byte[] bytes) throws IOException {
        Files.deleteIfExists(beside);
        try (FileChannel channel =
                FileChannel.open(beside, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    public static void put(Path beside, Path file, Work work) throws IOException {
        work.effect(
                new Effect("rename", file.toString()), () -> Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE));
    }

    public static void remove(Path file, Work work) throws IOException {
        if (isThere(file)) {
            work.effect(new Effect("unlink", file.toString()), () -> Files.deleteIfExists(file));
            if (isThere(file)) {
                throw new IOException(file + " was removed and is still there");
            }
        }
    }

    /** Returns whether there is anything at a path; throws if the disk does not tell. */
    public static boolean isThere(Path path) throws IOException {
        return attributes(path).isPresent();
    }

    /** Returns whether there is a folder at a path; throws if something else is there, or the disk does not tell. */
    public static boolean isFolder(Path path) throws IOException {
        Optional<BasicFileAttributes> found = attributes(path);
        if (found.isPresent() && !found.get().isDirectory()) {
            throw new IOException(path + " is there and is no folder (links are not followed)");
        }
        return found.isPresent();
    }

    private static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
