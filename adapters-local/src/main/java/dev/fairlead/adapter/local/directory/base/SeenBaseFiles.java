package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was seen of each base folder in a file, so that a process that starts while the base's storage is away
 * knows the base. If a file cannot be written, that base is known for the life of the process.
 *
 * <p>There is a file for each base, since the operator removes it to have that base forgotten and no other. A file
 * whose text says nothing tells that the base was used; one that cannot be read puts the base out of reach until it
 * can.
 */
final class SeenBaseFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SeenBaseFiles.class);
    private static final String CONNECTION = "connection";
    private static final String FOLDER = "folder";

    /** The most characters of a connection's name in a file's name, which has at most 255. */
    private static final int SHOWN = 100;

    private final SeenBasesSettings settings;
    private final Map<SeenBases.Place, Kept> kept = new ConcurrentHashMap<>();

    SeenBaseFiles(SeenBasesSettings settings) {
        this.settings = settings;
    }

    /** Returns the file of a base, which need not exist; empty if nothing is kept. */
    Optional<Path> file(SeenBases.Place place) {
        return settings.folder().map(folder -> folder.resolve(name(place)));
    }

    private static String name(SeenBases.Place place) {
        String connection = place.connection().value();
        String all = connection + "/" + place.base();
        return connection.substring(0, Math.min(SHOWN, connection.length())) + "-"
                + UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)) + ".json";
    }

    /**
     * Returns what was kept of a base; empty if it was never seen.
     *
     * @throws IOException if the file cannot be read now, which says nothing about the base
     */
    Optional<SeenBase> read(SeenBases.Place place) throws IOException {
        Optional<Path> file = file(place).filter(it -> !Files.notExists(it, LinkOption.NOFOLLOW_LINKS));
        if (file.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(fields(file.get())
                .filter(fields -> fields.entrySet().containsAll(names(place).entrySet()))
                .map(SeenBase::of)
                .orElse(SeenBase.UNKNOWN));
    }

    private static Optional<SortedMap<String, String>> fields(Path file) throws IOException {
        try {
            boolean regular = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile();
            return regular ? Records.read(file) : Optional.empty();
        } catch (IOException e) {
            // Without its cause, since what is refused here is no property of the base.
            throw new IOException("what was seen of the base cannot be read: " + e);
        }
    }

    private static SortedMap<String, String> names(SeenBases.Place place) {
        return new TreeMap<>(Map.of(
                CONNECTION, place.connection().value(), FOLDER, place.base().toString()));
    }

    /**
     * Keeps what was seen of a base, unless that is kept already; returns false if it cannot be kept.
     *
     * @param seen returns what is known when it is asked, so that of several calls the last one writes the newest
     */
    boolean keep(SeenBases.Place place, Supplier<Optional<SeenBase>> seen) {
        return file(place)
                .map(file -> kept.computeIfAbsent(place, _ -> new Kept(file, names(place)))
                        .update(seen))
                .orElse(true);
    }

    /** Writes the file of one base. */
    private static final class Kept {
        private final Path file;
        private final SortedMap<String, String> names;
        private final ReentrantLock writing = new ReentrantLock();
        private SortedMap<String, String> written = Collections.emptySortedMap();
        private boolean failed;

        Kept(Path file, SortedMap<String, String> names) {
            this.file = file;
            this.names = names;
        }

        boolean update(Supplier<Optional<SeenBase>> seen) {
            writing.lock();
            try {
                Optional<SortedMap<String, String>> now =
                        seen.get().map(this::fields).filter(it -> !it.equals(written));
                if (now.isPresent()) {
                    write(now.get());
                    written = now.get();
                    failed = false;
                }
                return true;
            } catch (IOException e) {
                warn(e);
                return false;
            } finally {
                writing.unlock();
            }
        }

        private SortedMap<String, String> fields(SeenBase seen) {
            SortedMap<String, String> all = seen.fields();
            all.putAll(names);
            return all;
        }

        private void write(SortedMap<String, String> fields) throws IOException {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Records.read(file).filter(it -> it.equals(fields)).isPresent()) {
                return; // an earlier process has seen the same
            }
            Path folder = file.resolveSibling("");
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                FolderSync.force(folder.toAbsolutePath().resolveSibling(""));
            }
            Records.replace(file, file.resolveSibling(file.getFileName() + ".new"), fields);
            FolderSync.force(folder);
        }

        /** Warns once, since each later look at the base tries again. */
        private void warn(IOException e) {
            if (!failed) {
                failed = true;
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("why", e.toString())
                        .log("what was seen of a base folder cannot be kept; a process that starts while its storage "
                                + "is away takes it for a new one");
            }
        }
    }
}
