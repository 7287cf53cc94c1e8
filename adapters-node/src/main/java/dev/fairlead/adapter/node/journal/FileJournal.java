package dev.fairlead.adapter.node.journal;

import dev.fairlead.adapter.node.file.DurableFile;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps one small file for each attached volume. A file is written under another name, synced and renamed, so it is
 * whole or not there; a file that cannot be read is an error and never "nothing is attached".
 */
public final class FileJournal implements StageJournal {
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
        if (text.length() > LARGEST) { // it would be unreadable, and no device of this node would be formatted then
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_context",
                    "does not fit in this node's journal, whose entries have at most " + LARGEST + " bytes"));
        }
        changing(entry.handle(), "writing", work, () -> writeNow(file(entry.handle()), text));
    }

    @Override
    public void remove(String handle, Work work) {
        Path file = file(handle);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            changing(handle, "removing", work, () -> {
                Files.deleteIfExists(file);
                DurableFile.syncFolder(folder);
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
            throw KernelThreads.fault("reading the journal's file " + file(handle) + " of volume " + handle, e);
        }
    }

    @Override
    public Inventory inventory() {
        List<Entry> entries = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(it -> it.toString().endsWith(END)).sorted().toList()) {
                try {
                    readOwn(file).ifPresent(entries::add);
                } catch (IOException e) {
                    unreadable.add(new Unreadable(file.toString(), why(e)));
                }
            }
        } catch (NoSuchFileException _) {
            return new Inventory(List.of(), List.of());
        } catch (IOException | UncheckedIOException e) {
            unreadable.add(new Unreadable(folder.toString(), why(e)));
        }
        return new Inventory(entries, unreadable);
    }

    /** Reads the entry in a file, which has to have the name that belongs to its handle. */
    private Optional<Entry> readOwn(Path file) throws IOException {
        Optional<Entry> entry = read(file);
        if (entry.filter(it -> !file(it.handle()).equals(file)).isPresent()) {
            throw new IOException("it is of volume " + entry.get().handle() + ", whose file has another name");
        }
        return entry;
    }

    @Override
    public Optional<Instant> written(String handle) {
        Path file = file(handle);
        try {
            return Optional.of(
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw KernelThreads.fault("looking at the journal's file " + file + " of volume " + handle, e);
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
        DurableFile.makeFolder(folder);
        DurableFile.replace(file, file.resolveSibling(file.getFileName() + ".new"), text);
    }

    private void changing(String handle, String what, Work work, Work.Action<IOException> action) {
        try {
            work.effect(new Effect("journal", handle), action);
        } catch (IOException e) {
            throw DurableFile.fault(what + " the journal's entry of volume " + handle, folder, e);
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

    private static String why(Exception e) {
        String kind = e.getClass().getSimpleName(); // many say nothing but the path besides
        String text = e.getMessage() == null ? "" : e.getMessage();
        return e.getClass() == IOException.class ? text : kind + " " + text;
    }
}
