package dev.fairlead.simulator.pool;

/** Says what ZFS itself refuses, with its number and its text. */
final class ZfsError extends RuntimeException {
    private final int number;

    ZfsError(int number, String text) {
        super(text);
        this.number = number;
    }

    int number() {
        return number;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
