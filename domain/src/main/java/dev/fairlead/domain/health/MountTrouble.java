package dev.fairlead.domain.health;

import java.util.Set;

/**
 * Says what is wrong with a mounted volume that answers.
 *
 * @param detail what was seen, for people
 * @param untold the kinds of which nothing could be told; none unless this kind is {@link Kind#UNTOLD}
 */
public record MountTrouble(Kind kind, String detail, Set<Kind> untold) {
    public MountTrouble {
        untold = Set.copyOf(untold);
    }

    public MountTrouble(Kind kind, String detail) {
        this(kind, detail, Set.of());
    }

    /** Returns that some kinds could not be told. */
    public static MountTrouble untold(Set<Kind> kinds, String detail) {
        return new MountTrouble(Kind.UNTOLD, detail, kinds);
    }

    /** Lists what can be wrong with it. */
    public enum Kind {
        /** It shows what was removed from its file system. */
        REMOVED,
        /** Next to nothing can be written any more. */
        FULL,
        /** No file can be made any more. */
        WITHOUT_INODES,
        /** Its file system has counted errors of its devices, or in itself. */
        DEVICE_ERRORS,
        /** Its size is a quota that is not enforced. */
        SIZE_NOT_HELD,
        /** One of these could not be told. */
        UNTOLD
    }
}
