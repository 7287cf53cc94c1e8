package dev.fairlead.adapter.zfs.cli;

import java.util.Optional;

/**
 * Tells which of several steps failed.
 *
 * @param number the number of the step, from 0
 * @param part the part that the step is of, if it was added as one
 */
public record FailedStep(int number, Optional<Steps.Part> part) {
    /** The first step, if nothing more is known of it. */
    public static final FailedStep FIRST = new FailedStep(0, Optional.empty());

    public boolean isFirst() {
        return number == 0;
    }

    public boolean isOf(Steps.Part asked) {
        return part.equals(Optional.of(asked));
    }
}
