package dev.fairlead.adapter.node.file;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Writes files of root alone that are whole or not there, also after a power loss. */
public final class DurableFile {
    private DurableFile() {}

    /** Makes a folder that only its owner reads, and those above it; does nothing if it is there. */
    public static void makeFolder(Path folder) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Replaces a file, or makes it; its content and its name are on the disk when this returns. If it cannot be done,
     * the former file stays, and no draft.
     *
     * @param draft the name under which it is written, on the same file system
     */
    public static void replace(Path file, Path draft, String text) throws IOException {
        Files.deleteIfExists(draft);
        try {
            write(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            removeDraft(draft, e);
            throw e;
        }
        syncFolder(file.resolveSibling(""));
    }

    /**
     * Removes a draft, which would keep room on a disk that may have none; the next one that is written does it too.
     */
    private static void removeDraft(Path draft, IOException why) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    private static void write(Path draft, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) < 0) {
                    throw new IOException("the file takes no more bytes");
                }
            }
            channel.force(true);
        }
    }

    /**
     * Returns the failure of what could not be changed in a folder: one after which the caller asks again if the disk
     * takes nothing, and else a fault of the node.
     *
     * @param doing what was being done
     */
    public static StorageException fault(String doing, Path folder, IOException e) {
        return remedy(e)
                .map(it -> new StorageException(
                        new Failure.NodeDiskUnusable(doing, folder.toString(), String.valueOf(e.getMessage()), it), e))
                .orElseGet(() -> KernelThreads.fault(doing, e));
    }

    /** Returns what helps if the disk takes nothing; empty if something else is wrong, which no repetition mends. */
    private static Optional<String> remedy(IOException e) {
        return switch (ErrorText.errno(e)) {
            case Errno.ENOSPC, Errno.EDQUOT -> Optional.of("make room there; the call is repeated and goes on then");
            case Errno.EROFS ->
                Optional.of(
                        "it is read-only: find out why and mount it writable; the call is repeated and goes on then");
            default -> Optional.empty();
        };
    }

    /** Brings the names in a folder to the disk. */
    public static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
