package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Keeps a folder of volumes or of snapshots, and the folder of their records.
 *
 * @param kind one word for what is kept here
 * @param form the form of the ids; a text of this form is a single name below the folder and never leads out of it
 */
public record RecordedFolders(String kind, Path folder, Path records, Pattern form) {
    public boolean accepts(String id) {
        return form.matcher(id).matches();
    }

    public Path place(String id) {
        return folder.resolve(id);
    }

    public Path record(String id) {
        return records.resolve(id + ".json");
    }

    /** Returns the folder of an id, or empty if there is none; throws if anything else has its place. */
    public Optional<BasicFileAttributes> look(String id) throws IOException {
        Optional<BasicFileAttributes> found = stat(place(id));
        if (found.isPresent() && !found.get().isDirectory()) {
            throw new StorageException(new Failure.NotOurs(
                    kind + " " + id, (found.get().isSymbolicLink() ? "the symbolic link " : "the file ") + place(id)));
        }
        return found;
    }

    public boolean holds(String id) throws IOException {
        return look(id).isPresent();
    }

    /** Returns whether an id has a folder; false if anything else has its place. */
    public boolean isFolder(String id) throws IOException {
        return stat(place(id)).filter(BasicFileAttributes::isDirectory).isPresent();
    }

    /** Returns whether there is a folder of any id; reads no more names than it has to. */
    public boolean hasAny() throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String id = String.valueOf(entry.getFileName());
                if (accepts(id) && isFolder(id)) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException e) {
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Returns the ids of all that is here, in their order, whoever made it. */
    public List<String> ids() throws IOException {
        return idsIfThere().orElse(List.of());
    }

    /** Returns the same; empty if the folder of them is not there, as while its disk is away. */
    public Optional<List<String>> idsIfThere() throws IOException {
        Optional<List<String>> ids = unsorted();
        ids.ifPresent(all -> all.sort(null));
        return ids;
    }

    /** Returns the same in the order of the disk, for who needs no other. */
    public Optional<List<String>> unsorted() throws IOException {
        List<String> ids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String id = String.valueOf(entry.getFileName());
                if (accepts(id)) {
                    ids.add(id);
                }
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.of(ids);
    }

    /** Returns the attributes of a path, without following a link; empty if nothing exists there. */
    public static Optional<BasicFileAttributes> stat(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
