package dev.fairlead.domain.access;

import java.util.Map;

/** Says who may reach a volume; the volume's notes record it from its creation on, for as long as it exists. */
public sealed interface Access {
    /** The note of a volume that is closed to all but the nodes that it is published to. */
    String NOTE = "access";

    /** The note that holds those nodes. */
    String GRANTS = "grants";

    /** The notes that a closed volume is created with. */
    Map<String, String> CLOSED = Map.of(NOTE, "nodes", GRANTS, Grants.NONE.text());

    /**
     * The volume is open to whoever reaches the storage, or as its administrator decides: publishing it changes
     * nothing.
     */
    record Open() implements Access {}

    /** Only these nodes may reach the volume. */
    record Nodes(Grants grants) implements Access {}

    /** Returns what a volume's notes say; a volume without access notes, as a peer makes it, is open. */
    static Access of(Map<String, String> notes) {
        return notes.containsKey(NOTE) ? new Nodes(Grants.parse(notes.getOrDefault(GRANTS, ""))) : new Open();
    }
}
