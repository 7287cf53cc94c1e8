package dev.fairlead.adapter.local.directory.record;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

    private boolean isThere(String group) {
        return Files.exists(file(group), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the record of a group; empty if there is none. Throws if there is a file that is no record. */
    public Optional<GroupRecord> read(String group) throws IOException {
        if (!isThere(group)) {
            return Optional.empty();
        }
        Optional<GroupRecord> record = readable(group);
        if (record.isEmpty() && isThere(group)) {
            throw new IOException(file(group) + " is no record of a group of snapshots any more, and those are hidden"
                    + " meanwhile; restore it");
        }
        return record;
    }

    private Optional<GroupRecord> readable(String group) throws IOException {
        return Records.read(file(group)).flatMap(GroupRecord::of);
    }

    /** Returns whether a snapshot is there: it was taken alone, or its group lists it. */
    public boolean show(String snapshot, SnapshotRecord record) throws IOException {
        return record.group().isEmpty()
                || readable(record.group().get().value())
                        .filter(group -> group.has(snapshot))
                        .isPresent();
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
        if (!Files.isDirectory(groups)) {
            return unfinished; // then there was never a group
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
