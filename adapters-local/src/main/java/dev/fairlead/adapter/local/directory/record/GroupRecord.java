package dev.fairlead.adapter.local.directory.record;

import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Holds what is kept of a group of snapshots, each of which is there only as long as this lists it.
 *
 * @param snapshots the ids of the snapshots, in their order
 * @param deleting whether the group is being deleted, and lists nothing any more
 */
public record GroupRecord(CsiName name, GroupShape shape, List<String> snapshots, boolean deleting) {
    /** The form of a group's id; a text of this form is a single name of a file and never leads out of its folder. */
    public static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+-]{0,199}");

    private static final String NAME = "name";
    private static final String MEMBERS = "members";
    private static final String PARAMETERS = "parameters";
    private static final String SNAPSHOTS = "snapshots";
    private static final String DELETING = "deleting";

    public GroupRecord {
        snapshots = snapshots.stream().sorted().toList();
    }

    /** Returns the id that a text is; empty if no group can have it. */
    static Optional<NativeId> id(String text) {
        return ID.matcher(text).matches() ? NativeId.read(text) : Optional.empty();
    }

    /** Returns the record if all its fields make sense. */
    public static Optional<GroupRecord> of(Map<String, String> fields) {
        if (!fields.keySet().containsAll(List.of(MEMBERS, PARAMETERS, SNAPSHOTS))) {
            return Optional.empty();
        }
        GroupShape shape = new GroupShape(fields.getOrDefault(MEMBERS, ""), fields.getOrDefault(PARAMETERS, ""));
        List<String> snapshots = List.of(fields.getOrDefault(SNAPSHOTS, "").split(" ", -1));
        return CsiName.read(fields.getOrDefault(NAME, ""))
                .map(name -> new GroupRecord(name, shape, snapshots, fields.containsKey(DELETING)));
    }

    public SortedMap<String, String> fields() {
        SortedMap<String, String> fields = new TreeMap<>(Map.of(
                NAME, name.value(),
                MEMBERS, shape.members(),
                PARAMETERS, shape.parameters(),
                SNAPSHOTS, String.join(" ", snapshots)));
        if (deleting) {
            fields.put(DELETING, "true");
        }
        return fields;
    }

    /** Returns the same record of a group that is being deleted. */
    public GroupRecord asDeleting() {
        return new GroupRecord(name, shape, snapshots, true);
    }

    /** Returns whether a snapshot is one of the group, and there. */
    public boolean has(String snapshot) {
        return !deleting && snapshots.contains(snapshot);
    }
}
