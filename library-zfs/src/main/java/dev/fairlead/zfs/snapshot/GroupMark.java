package dev.fairlead.zfs.snapshot;

import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.Map;
import java.util.Optional;

/** Holds what each snapshot of a group knows of the group. */
public record GroupMark(NativeId id, GroupShape shape) {
    private static final String ID = "id";
    private static final String MEMBERS = "members";
    private static final String PARAMETERS = "parameters";

    public String write() {
        return OwnProperties.write(Map.of(ID, id.value(), MEMBERS, shape.members(), PARAMETERS, shape.parameters()));
    }

    /** Returns the mark that a property holds; empty if Fairlead did not write it. */
    public static Optional<GroupMark> read(String property) {
        Map<String, String> fields = OwnProperties.read(property);
        return Optional.ofNullable(fields.get(ID))
                .flatMap(NativeId::read)
                .map(id -> new GroupMark(
                        id, new GroupShape(fields.getOrDefault(MEMBERS, ""), fields.getOrDefault(PARAMETERS, ""))));
    }
}
