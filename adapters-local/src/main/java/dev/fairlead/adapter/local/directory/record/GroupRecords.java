package dev.fairlead.adapter.local.directory.record;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads which groups of snapshots there are, and which snapshots are theirs.
 *
 * @param groups the folder of the groups' records, which is made with the first group
 * @param snapshots the folder of the snapshots' records
 */
public record GroupRecords(Path groups, Path snapshots) {
    private static final String END = ".json";

    public Path file(String group) {
        return groups.resolve(group + END);
    }

    /**
     * Returns the record of a group; empty if there is none. Throws if there is a file that is no record, or if the
     * disk does not tell.
     */
    public Optional<GroupRecord> read(String group) throws IOException {
        if (!isReadable(group)) {
            throw new IOException(file(group) + " is no record of a group of snapshots any more, and those are hidden"
                    + " meanwhile; restore it");
        }
        return readable(group);
    }

    /** Returns whether there is no file of a group, or one that makes sense. */
    private boolean isReadable(String group) throws IOException {
        return !isThere(group) || readable(group).isPresent() || !isThere(group);
    }

    private boolean isThere(String group) throws IOException {
        return Records.isFolder(groups) && Records.isThere(file(group));
    }

    private Optional<GroupRecord> readable(String group) throws IOException {
        return Records.isFolder(groups) ? Records.read(file(group)).flatMap(GroupRecord::of) : Optional.empty();
    }

    /**
     * Returns whether a snapshot is there: it was taken alone, or its group lists it. Throws if that cannot be told,
     * since the record of its group is damaged, or the folder with all of them is away.
     */
    public boolean show(String snapshot, SnapshotRecord record) throws IOException {
        if (record.group().isEmpty()) {
            return true;
        }
        requireFolder("snapshot " + snapshot + " is one of a group");
        return read(record.group().get().value())
                .filter(group -> group.has(snapshot))
                .isPresent();
    }

    /** Returns whether a list has a snapshot; one of which it cannot be told is left out. */
    public boolean list(SnapshotRecord record) throws IOException {
        return record.group().isEmpty()
                || (Records.isFolder(groups) && isReadable(record.group().get().value()));
    }

    /** Returns whether the record of any group lists a snapshot; reads all of them. */
    public boolean list(String snapshot) throws IOException {
        for (String group : Records.isFolder(groups) ? names(groups) : List.<String>of()) {
            if (readable(group).filter(it -> it.has(snapshot)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Throws if there is no folder of groups' records, though a snapshot says that it is of this group.
     *
     * @param group none of whose records is there
     */
    public void proveAbsence(String group) throws IOException {
        if (!Records.isFolder(groups) && !members(group).isEmpty()) {
            requireFolder("snapshots are there of the group " + group);
        }
    }

    private void requireFolder(String what) throws IOException {
        if (!Records.isFolder(groups)) {
            throw new IOException(what + ", and " + groups + " is not there; restore it");
        }
    }

    /** Returns whether there is a record of a group, or a snapshot whose record says that it is of it. */
    public boolean hasAny(String group) throws IOException {
        return isThere(group) || (Records.isFolder(groups) && !members(group).isEmpty());
    }

    /** Returns the snapshots whose records say that they are of this group, whether it lists them or not. */
    public List<String> members(String group) throws IOException {
        List<String> its = new ArrayList<>();
        members().forEach((snapshot, of) -> {
            if (of.equals(group)) {
                its.add(snapshot);
            }
        });
        return its;
    }

    /** Returns the snapshots whose records name a group, with that. */
    private SortedMap<String, String> members() throws IOException {
        SortedMap<String, String> members = new TreeMap<>();
        for (String snapshot : names(snapshots)) {
            Records.read(snapshots.resolve(snapshot + END))
                    .flatMap(SnapshotRecord::of)
                    .flatMap(SnapshotRecord::group)
                    .ifPresent(group -> members.put(snapshot, group.value()));
        }
        return members;
    }

    /**
     * Returns the groups of which a take or deletion that was cut has left something: they are being deleted, or have
     * snapshots that they do not list. A group whose record makes no sense is none of them.
     */
    public SortedSet<String> unfinished() throws IOException {
        SortedSet<String> unfinished = new TreeSet<>();
        if (!Records.isFolder(groups)) {
            return unfinished; // then there was never a group, or nobody can tell what it listed
        }
        for (Map.Entry<String, String> member : members().entrySet()) {
            String group = member.getValue();
            boolean there = isThere(group);
            Optional<GroupRecord> record = readable(group);
            if (!there || record.filter(it -> !it.has(member.getKey())).isPresent()) {
                unfinished.add(group);
            }
        }
        for (String group : names(groups)) {
            if (readable(group).filter(GroupRecord::deleting).isPresent()) {
                unfinished.add(group);
            }
        }
        return unfinished;
    }

    /** Returns of which ids there are records in a folder. */
    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + END)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                names.add(name.substring(0, name.length() - END.length()));
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }
}
