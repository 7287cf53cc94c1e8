package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the mark that says which connection owns a base folder.
 *
 * <p>Two connections on one base would each serve, and delete, the volumes of the other under handles of their own; so
 * a base belongs to one connection of one installation. A base of democratic-csi has no mark and is taken over by the
 * first change that Fairlead makes there.
 */
public final class OwnerMark {
    private static final String OWNER = ".owner";

    private final BaseFolderLayout layout;
    private final ConnectionScope scope;
    private final Marks marks;

    /**
     * True once this process has renewed the mark: two processes that know different names of one installation must not
     * rewrite it for ever.
     */
    private volatile boolean renewed;

    private final Cache records = new Cache(this::requireOurs);

    public OwnerMark(BaseFolderLayout layout, ConnectionScope scope, Marks marks) {
        this.layout = layout;
        this.scope = scope;
        this.marks = marks;
    }

    /**
     * Knows what a mark says beside its owner, by the keys of the connection's file: what must not change there.
     *
     * @param now returns that as it is now
     */
    public record Marks(Supplier<Map<String, String>> now) {
        public static final Marks NONE = new Marks(Map::of);

        Map<String, String> fields() {
            return now.get();
        }

        /**
         * Returns a key for which a mark says something else; one that was made before it said so contradicts nothing.
         */
        Optional<String> contradictedBy(OwnerRecord mark) {
            return fields().entrySet().stream()
                    .filter(field -> !mark.fields()
                            .getOrDefault(field.getKey(), field.getValue())
                            .equals(field.getValue()))
                    .map(Map.Entry::getKey)
                    .min(Comparator.naturalOrder());
        }
    }

    /** Returns our mark, if there is one; throws if the base belongs to somebody else. */
    Optional<OwnerRecord> check() throws IOException {
        return check(layout);
    }

    /** Returns the same for another path to the base. */
    Optional<OwnerRecord> check(BaseFolderLayout there) throws IOException {
        Optional<OwnerRecord> mark = records.read(there.owner());
        String other = mark.flatMap(marks::contradictedBy).orElse("");
        if (!other.isEmpty()) {
            throw new StorageException(new Failure.BackendRejected(scope.name().value(), refusal(other, mark.get())));
        }
        return mark;
    }

    private void requireOurs(OwnerRecord found) {
        if (!found.isOf(scope)) {
            throw new StorageException(new Failure.BackendRejected(scope.name().value(), refusal(found)));
        }
    }

    /** Returns whether our mark exists; false if that cannot be read. */
    public boolean isMade() {
        try {
            return Records.read(layout.owner())
                    .map(OwnerRecord::new)
                    .filter(mark ->
                            mark.isOf(scope) && marks.contradictedBy(mark).isEmpty())
                    .isPresent();
        } catch (IOException _) {
            return false;
        }
    }

    private String refusal(OwnerRecord found) {
        return layout.base() + " belongs to connection '" + found.connection() + "' of installation '"
                + found.installation() + "', this is connection '" + scope.name() + "' of installation '"
                + scope.installation() + "'; give each connection a base of its own, or remove " + layout.owner()
                + " if the other is gone for good";
    }

    private String refusal(String key, OwnerRecord found) {
        String was = key + ": " + found.fields().get(key);
        return layout.base() + " was begun with " + was + ", and is listed with " + key + ": "
                + marks.fields().get(key) + " now; write " + was + " again, or give the other a folder of its own";
    }

    /**
     * Writes our mark if there is none.
     *
     * @param foundEmpty whether nothing was in the base folder before it was laid out
     */
    void make(boolean foundEmpty, CreationsInProgress creations, Work work) throws IOException {
        ReentrantLock marking = creations.marking(layout.base());
        marking.lock();
        try {
            if (check().isEmpty()) {
                OwnerRecord mark =
                        OwnerRecord.of(scope, UUID.randomUUID().toString()).with(marks.fields());
                write(
                        creations,
                        foundEmpty ? mark.foundEmpty() : mark,
                        work,
                        beside -> work.effect(new Effect("link", layout.owner().toString()), () -> link(beside)));
                renewed = true;
            }
        } finally {
            marking.unlock();
        }
    }

    /**
     * Renews our mark if it does not have all present names of this installation, before the last name that it has is
     * removed.
     */
    void renew(CreationsInProgress creations, Work work) throws IOException {
        if (renewed) {
            return;
        }
        ReentrantLock marking = creations.marking(layout.base());
        marking.lock();
        try {
            renewUnlessCurrent(creations, work);
            renewed = true;
        } finally {
            marking.unlock();
        }
    }

    private void renewUnlessCurrent(CreationsInProgress creations, Work work) throws IOException {
        String id = idOfOldMark();
        Optional<OwnerRecord> mark = check().filter(found -> !isCurrent(found));
        if (mark.isPresent()) {
            OwnerRecord wanted = mark.get().renewed(scope, id).with(marks.fields());
            write(creations, wanted, work, beside -> Records.put(beside, layout.owner(), work));
            if (check().filter(this::isCurrent).isEmpty()) {
                throw new IOException(layout.owner() + " was written and reads back differently");
            }
        }
    }

    private boolean isCurrent(OwnerRecord mark) {
        return mark.isCurrent(scope) && mark.with(marks.fields()).equals(mark);
    }

    /**
     * Returns the id for a base whose mark has none; all processes that renew the mark at the same time compute the
     * same one. It is computed before the mark is read, so that a mark that is read without an id is the one from which
     * the id was made.
     */
    private String idOfOldMark() throws IOException {
        try {
            Map<String, Object> file =
                    Files.readAttributes(layout.owner(), "unix:ino,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            String what = file.get("ino") + " " + file.get("lastModifiedTime") + " " + scope.name();
            return UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8)).toString();
        } catch (NoSuchFileException e) {
            return UUID.randomUUID().toString(); // somebody made the mark just now, with an id
        }
    }

    private void write(CreationsInProgress creations, OwnerRecord mark, Work work, Placing placing) throws IOException {
        Path beside = layout.partial().resolve(creations.prefix() + UUID.randomUUID() + OWNER);
        creations.begin(beside);
        try {
            Records.prepare(beside, mark.fields(), work);
            placing.place(beside);
            Records.remove(beside, work);
        } finally {
            creations.end(beside);
        }
        FolderSync.sync(work, layout.state());
        check();
    }

    /** Links the mark to its place; a link, unlike a rename, does not replace the mark of somebody who was quicker. */
    private void link(Path beside) throws IOException {
        if (RecordedFolders.stat(layout.owner()).isPresent()
                && Records.read(layout.owner()).isEmpty()) {
            Files.deleteIfExists(layout.owner()); // incomplete after a power loss
        }
        try {
            Files.createLink(layout.owner(), beside);
        } catch (FileAlreadyExistsException e) {
            check();
        } catch (NoSuchFileException e) {
            throw e; // another process removed the file that was written
        } catch (UnsupportedOperationException | FileSystemException e) {
            renameIfAbsent(beside); // this file system has no hard links
        }
    }

    /**
     * Renames the mark to its place after making an empty file there, which only one process can do, so that the rename
     * replaces nothing else.
     */
    private void renameIfAbsent(Path beside) throws IOException {
        try {
            Files.createFile(layout.owner());
        } catch (FileAlreadyExistsException e) {
            check();
            return;
        }
        Files.move(beside, layout.owner(), StandardCopyOption.ATOMIC_MOVE); // if it fails, an incomplete mark is left
    }

    /** Moves a mark that was written to its place. */
    @FunctionalInterface
    private interface Placing {
        void place(Path beside) throws IOException;
    }

    /**
     * Reads the mark of a base folder's owner, and parses and checks it only if the file is another one than before.
     *
     * <p>Each call looks at the mark several times. It is never written in place, so another mark is another file by
     * its number, its time or its size. A file without a number is always read.
     */
    static final class Cache {
        private final Consumer<OwnerRecord> check;
        private volatile @Nullable Entry last;

        /** @param check throws if a mark is not the one of this connection */
        Cache(Consumer<OwnerRecord> check) {
            this.check = check;
        }

        /** Returns the record of a file, or empty if it does not exist or is incomplete. */
        Optional<OwnerRecord> read(Path file) throws IOException {
            Optional<Version> version = RecordedFolders.stat(file).flatMap(Version::of);
            Entry before = last;
            if (before != null && version.filter(before.version()::equals).isPresent()) {
                return Optional.of(before.mark());
            }
            Optional<OwnerRecord> mark = Records.read(file).map(OwnerRecord::new);
            mark.ifPresent(check);
            if (version.isPresent() && mark.isPresent()) {
                last = new Entry(version.get(), mark.get());
            }
            return mark;
        }

        /** Tells one content of a file from another. */
        private record Version(Object key, FileTime modified, long size) {
            static Optional<Version> of(BasicFileAttributes file) {
                return Optional.ofNullable(file.fileKey())
                        .map(key -> new Version(key, file.lastModifiedTime(), file.size()));
            }
        }

        private record Entry(Version version, OwnerRecord mark) {}
    }
}
