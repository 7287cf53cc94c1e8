package dev.fairlead.domain.affinity;

import java.util.Locale;
import java.util.Optional;

/**
 * Describes how the affinity of one PersistentVolume would change.
 *
 * @param volume the PersistentVolume's name
 * @param uid the PersistentVolume's uid, so that a new one of the same name is not taken for it
 * @param source the name of the source that tells the placement
 * @param reason why, for people
 * @param lostNode an evacuated or lost node that explains it
 */
public record AffinityChange(
        String volume,
        String uid,
        NodeAffinity from,
        NodeAffinity to,
        String source,
        String reason,
        Optional<String> lostNode) {
    /** Lists what a change does to the nodes that may use the volume. */
    public enum Kind {
        /** The same nodes may use it. */
        SAME,
        /** The field was not set, and is to be. */
        SET,
        /** No node loses it. */
        WIDEN,
        /** No node gains it. */
        NARROW,
        /** Some nodes gain it and some lose it, or that cannot be told. */
        MOVE;

        /** Says whether a node may lose the volume. */
        public boolean takesAccess() {
            return this == SET || this == NARROW || this == MOVE;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Kind kind() {
        boolean widens = to.covers(from);
        boolean narrows = from.covers(to);
        if (widens && narrows) {
            return Kind.SAME;
        }
        if (from.isUnset()) {
            return Kind.SET;
        }
        if (widens) {
            return Kind.WIDEN;
        }
        return narrows ? Kind.NARROW : Kind.MOVE;
    }

    /** Returns a line that two changes share only if they do the same to the same PersistentVolume. */
    String identity() {
        return volume + "\n" + uid + "\n" + from + "\n" + to;
    }
}
