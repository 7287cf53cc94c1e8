package dev.fairlead.domain.capacity;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;

/**
 * Holds the sizes that a caller accepts (CSI {@code CapacityRange}): at least {@code required}, at most {@code limit}.
 *
 * <p>In CSI a zero means "not given"; {@link #of} reads it so.
 */
public record CapacityRange(Optional<Capacity> required, Optional<Capacity> limit) {
    /** The size of a volume if the caller gives none; democratic-csi's default. */
    public static final Capacity DEFAULT = Capacity.ofGibibytes(1);

    public static final CapacityRange ANY = new CapacityRange(Optional.empty(), Optional.empty());

    public CapacityRange {
        if (required.isPresent() && limit.isPresent() && limit.get().isLessThan(required.get())) {
            throw new StorageException(new Failure.CapacityOutOfRange(
                    "capacity_range: required_bytes " + required.get().bytes() + " is more than limit_bytes "
                            + limit.get().bytes()));
        }
    }

    /** Reads a range from the wire: zero means absent, negative numbers are refused. */
    public static CapacityRange of(long requiredBytes, long limitBytes) {
        return new CapacityRange(given("required_bytes", requiredBytes), given("limit_bytes", limitBytes));
    }

    private static Optional<Capacity> given(String field, long bytes) {
        if (bytes < 0) {
            throw new StorageException(new Failure.CapacityOutOfRange(
                    "capacity_range." + field + ": " + bytes + " (expected: 0 or more)"));
        }
        return bytes == 0 ? Optional.empty() : Optional.of(Capacity.ofBytes(bytes));
    }

    /** Returns the size to make: the required one, or else the default, cut to the limit. */
    public Capacity choose() {
        return required.orElseGet(
                () -> limit.filter(most -> most.isLessThan(DEFAULT)).orElse(DEFAULT));
    }

    /** Says whether a volume of this size is within the range. */
    public boolean fits(Capacity size) {
        return !required.map(size::isLessThan).orElse(false)
                && !limit.map(most -> most.isLessThan(size)).orElse(false);
    }

    /** Says whether this size is over the limit. */
    public boolean exceededBy(Capacity size) {
        return limit.map(most -> most.isLessThan(size)).orElse(false);
    }
}
