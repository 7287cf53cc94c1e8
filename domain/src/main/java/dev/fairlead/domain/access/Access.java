package dev.fairlead.domain.access;

import java.util.Map;

/** Who may reach a volume; the volume says it by its notes, from its birth and for life. */
public sealed interface Access {
    /** The note of a volume that is closed to all but the nodes that it is published to. */
    String NOTE = "access";

    /** The note in which those nodes are. */
    String GRANTS = "grants";

    /** What a volume is born with that is closed. */
    Map<String, String> CLOSED = Map.of(NOTE, "nodes", GRANTS, Grants.NONE.text());

    /** Whoever reaches the storage, or as its administrator has it: such a volume is published without any effect. */
    record Open() implements Access {}

    /** Nobody but these nodes. */
    record Nodes(Grants grants) implements Access {}

    /** What a volume's notes say; one without any, as a peer makes it, is open. */
    static Access of(Map<String, String> notes) {
        return notes.containsKey(NOTE) ? new Nodes(Grants.parse(notes.getOrDefault(GRANTS, ""))) : new Open();
    }
}
