package dev.fairlead.bootstrap.folder;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.domain.connection.ConnectionName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the content of the connections folder at one moment.
 *
 * @param complete whether the folder could be listed; if not, nothing is known of files that were removed
 */
public record FolderListing(SortedMap<ConnectionName, Entry> files, List<Problem> problems, boolean complete) {
    private static final String SUFFIX = ".yaml";

    /** Describes a connection's file: its content, or why it cannot be read. */
    public sealed interface Entry {}

    /** Holds the bytes of a file. */
    public static final class ReadFile implements Entry {
        private final byte[] bytes;
        private final Instant modified;

        ReadFile(byte[] bytes, Instant modified) {
            this.bytes = bytes;
            this.modified = modified;
        }

        public byte[] bytes() {
            return bytes;
        }

        /** Returns the time at which it was last written. */
        public Instant modified() {
            return modified;
        }

        boolean holdsTheSameAs(ReadFile other) {
            return Arrays.equals(bytes, other.bytes);
        }
    }

    public record Unreadable(Problem problem) implements Entry {}

    public FolderListing {
        files = new TreeMap<>(files);
        problems = List.copyOf(problems);
    }

    /** Reads the whole folder. Hidden files are passed over: Kubernetes keeps its own there ({@code ..data}). */
    public static FolderListing of(Path folder) {
        var problems = new Problems(folder.toString());
        SortedMap<ConnectionName, Entry> files = new TreeMap<>();
        boolean complete = true;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            List<Path> sorted = new ArrayList<>();
            entries.forEach(sorted::add);
            sorted.sort(null);
            for (Path file : sorted) {
                nameOf(file, problems).ifPresent(name -> read(file).ifPresent(entry -> files.put(name, entry)));
            }
        } catch (NoSuchFileException e) {
            problems.warning("", 0, "is missing", "mount the connections there; volumes wait until it is back");
        } catch (NotDirectoryException e) {
            problems.error("", 0, "is no folder", "let proxy.configFolder name the folder of the connections' files");
            complete = false;
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            problems.error("", 0, "cannot be read: " + reason(e), "let this process read and search it");
            complete = false;
        }
        return new FolderListing(files, problems.all(), complete);
    }

    private static Optional<ConnectionName> nameOf(Path file, Problems problems) {
        String name = file.getFileName().toString();
        if (name.startsWith(".")) {
            warnOfHidden(name, problems);
            return Optional.empty();
        }
        if (name.endsWith(".yml")) {
            problems.warning(name, 0, "is passed over: its name ends in .yml", "rename it to end in .yaml");
            return Optional.empty();
        }
        if (!name.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        String base = name.substring(0, name.length() - SUFFIX.length());
        if (!ConnectionName.isValid(base)) {
            problems.error(
                    name,
                    0,
                    "is passed over: its name is not one that a connection can have",
                    "use " + ConnectionName.EXPECTED + ", before .yaml; volumes of that connection wait until then");
            return Optional.empty();
        }
        return Optional.of(new ConnectionName(base));
    }

    /**
     * Warns of a hidden file that is named like a connection, as a key of a Secret may be; not of Kubernetes' own
     * entries, and not of files that editors leave.
     */
    private static void warnOfHidden(String name, Problems problems) {
        boolean likeAKey = name.endsWith(SUFFIX)
                && name.length() > SUFFIX.length()
                && ConnectionName.isValid(name.substring(1, name.length() - SUFFIX.length()));
        if (likeAKey) {
            problems.warning(
                    name,
                    0,
                    "is passed over: it is hidden",
                    "if it is meant to be a connection, let its name not begin with '.'");
        }
    }

    private static Optional<Entry> read(Path file) {
        var problems = new Problems(file.getFileName().toString());
        try {
            if (Files.isDirectory(file)) {
                problems.error("", 0, "is a folder", "expected: a YAML file");
                return Optional.of(new Unreadable(problems.all().getFirst()));
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                problems.error("", 0, "is no regular file", "expected: a YAML file, or a link to one");
                return Optional.of(new Unreadable(problems.all().getFirst()));
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] content = in.readNBytes(YamlReader.MAX_BYTES + 1);
                return Optional.of(
                        new ReadFile(content, Files.getLastModifiedTime(file).toInstant()));
            }
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(file) ? Optional.of(dangling(problems)) : Optional.empty();
        } catch (IOException e) {
            problems.error("", 0, "cannot be read: " + reason(e), "let this process read it");
            return Optional.of(new Unreadable(problems.all().getFirst()));
        }
    }

    private static Entry dangling(Problems problems) {
        problems.error("", 0, "is a link to nothing", "restore what it points to, or remove it");
        return new Unreadable(problems.all().getFirst());
    }

    private static String reason(Exception e) {
        return e instanceof java.nio.file.AccessDeniedException
                ? "access denied"
                : e.getClass().getSimpleName();
    }
}
