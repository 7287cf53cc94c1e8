package dev.fairlead.simulator.pool;

/** Says what ZFS itself refuses, with its number and its text. */
public final class ZfsError extends RuntimeException {
    private final int number;

    /** Refuses something. */
    public ZfsError(int number, String text) {
        super(text);
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Returns its text. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
