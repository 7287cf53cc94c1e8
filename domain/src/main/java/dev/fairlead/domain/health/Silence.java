package dev.fairlead.domain.health;

/** Says how a mounted file system fails to answer. */
public record Silence(Kind kind, String detail) {
    /** Lists the ways of not answering. */
    public enum Kind {
        /** It does not answer, and may do so again. */
        SILENT,
        /** The server answers and does not know the mount any more (ESTALE); only a new mount helps. */
        LOST,
        /** The kernel has given the file system up after an error (EIO); only a new mount helps. */
        BROKEN
    }

    /** Returns whether waiting does not help. */
    public boolean lost() {
        return kind != Kind.SILENT;
    }
}
