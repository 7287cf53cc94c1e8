package dev.fairlead.testkit.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What callers learn of volumes and snapshots. */
public final class Facts {
    private Facts() {}

    /** A volume. */
    public record Volume(String id, long capacity, Map<String, String> context, Source source) {
        public Volume {
            context = Map.copyOf(context);
        }

        Volume withCapacity(long bytes) {
            return new Volume(id, bytes, context, source);
        }
    }

    /** A snapshot; the time as text, since it is only compared. */
    public record Snapshot(String id, String source, long size, String created) {}

    /** From what a volume was made; the id is empty for an empty volume. */
    public record Source(Kind kind, String id) {
        public static final Source NONE = new Source(Kind.NONE, "");

        /** What kind of thing the id is of. */
        public enum Kind {
            NONE,
            SNAPSHOT,
            VOLUME
        }
    }

    /** A part of a list, and the token of the next. */
    public record Part<T>(List<T> items, Optional<String> next) {
        public Part {
            items = List.copyOf(items);
        }
    }
}
