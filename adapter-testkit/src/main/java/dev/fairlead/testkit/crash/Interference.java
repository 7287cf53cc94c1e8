package dev.fairlead.testkit.crash;

/** Tells what happens to one effect of a call. */
public enum Interference {
    /** The process dies; the effect has not happened. */
    DEATH_BEFORE,
    /** The process dies; the effect has happened. */
    DEATH_AFTER,
    /** The caller goes away before the effect. */
    CANCELLED_BEFORE,
    /** The effect does not happen, and the storage says so by a timeout. */
    TIMEOUT_WITHOUT_EFFECT,
    /** The effect happens, and the storage says that it timed out. */
    TIMEOUT_AFTER_EFFECT,
    /** The effect does not happen, and the storage says that it did. */
    LIE;

    boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }
}
