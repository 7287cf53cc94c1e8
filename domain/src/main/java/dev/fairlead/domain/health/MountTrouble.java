package dev.fairlead.domain.health;

/**
 * Says what is wrong with a mounted volume that answers.
 *
 * @param detail what was seen, for people
 */
public record MountTrouble(Kind kind, String detail) {
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
