package dev.fairlead.adapter.node.journal;

import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one small file for each attached volume. A file is written under another name, synced and renamed, so it is
 * whole or not there; a file that cannot be read is an error and never "nothing is attached".
 */
public final class FileJournal implements StageJournal {
    private static final Logger log = LoggerFactory.getLogger(FileJournal.class);
    private static final String END = ".staged";
    private static final int LARGEST = 64 << 10;
    private static final int NAME_BYTES = 20;

    private final Path folder;

    /** @param folder on a disk of the node, so that it outlives this container; made when the first entry is written */
    public FileJournal(Path folder) {
        this.folder = folder;
    }

    @Override
    public void write(Entry entry, Work work) {
        String text = EntryText.of(entry);
        changing(entry.handle(), "writing", work, () -> writeNow(file(entry.handle()), text));
    }

    @Override
    public void remove(String handle, Work work) {
        Path file = file(handle);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            changing(handle, "removing", work, () -> {
                Files.deleteIfExists(file);
                syncFolder();
            });
        }
    }

    @Override
    public Optional<Entry> of(String handle) {
        try {
            Optional<Entry> entry = read(file(handle));
            if (entry.filter(it -> !it.handle().equals(handle)).isPresent()) {
                throw new IOException("it is of volume " + entry.get().handle());
            }
            return entry;
        } catch (IOException e) {
            throw fault("reading the journal's file " + file(handle) + " of volume " + handle, e);
        }
    }

    @Override
    public List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        for (Path file : files()) {
            try {
                read(file).ifPresent(entries::add);
            } catch (IOException e) {
                log.atError()
                        .addKeyValue("file", file)
                        .addKeyValue("why", String.valueOf(e.getMessage()))
                        .log("a file of the journal cannot be read; calls on its volume are refused until it is"
                                + " repaired or removed");
            }
        }
        return entries;
    }

    private List<Path> files() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(END)).sorted().toList();
        } catch (IOException e) {
            throw fault("reading the journal's folder " + folder, e);
        }
    }

    private static Optional<Entry> read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException("it has more than " + LARGEST + " bytes");
            }
            return Optional.of(EntryText.read(new String(bytes, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    private void writeNow(Path file, String text) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
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
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder();
    }

    private void syncFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void changing(String handle, String what, Work work, Work.Action<IOException> action) {
        try {
            work.effect(new Effect("journal", handle), action);
        } catch (IOException e) {
            throw fault(what + " the journal's entry of volume " + handle, e);
        }
    }

    /** Returns the file of a handle, which may have any characters. */
    private Path file(String handle) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(handle.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(digest, 0, NAME_BYTES) + END);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static StorageException fault(String what, IOException e) {
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new StorageException(new Failure.NodeFault(what, detail), e);
    }
}
