package dev.fairlead.testkit.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds what callers learn of volumes and snapshots. */
public final class Facts {
    private Facts() {}

    /** Holds what callers learn of a volume; the capacity is in bytes. */
    public record Volume(String id, long capacity, Map<String, String> context, Source source) {
        public Volume {
            context = Map.copyOf(context);
        }

        Volume withCapacity(long bytes) {
            return new Volume(id, bytes, context, source);
        }
    }

    /** Holds what callers learn of a snapshot; the time is a text, since it is only compared. */
    public record Snapshot(String id, String source, long size, String created) {}

    /** Tells from what a volume was made; the id is empty for an empty volume. */
    public record Source(Kind kind, String id) {
        public static final Source NONE = new Source(Kind.NONE, "");

        /** Tells what kind of thing the id names. */
        public enum Kind {
            NONE,
            SNAPSHOT,
            VOLUME
        }
    }

    /** Holds a part of a list, and the token of the next part; no token if it is the last. */
    public record Part<T>(List<T> items, Optional<String> next) {
        public Part {
            items = List.copyOf(items);
        }
    }
}
