package dev.fairlead.domain.capacity;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;

/**
 * The sizes that a caller accepts (CSI {@code CapacityRange}): at least {@code required}, at most {@code limit}.
 *
 * <p>In CSI a zero means "not given", and so it does in {@link #of}.
 */
public record CapacityRange(Optional<Capacity> required, Optional<Capacity> limit) {
    /** What a volume gets when nobody says; democratic-csi's default. */
    public static final Capacity DEFAULT = Capacity.ofGibibytes(1);

    public static final CapacityRange ANY = new CapacityRange(Optional.empty(), Optional.empty());

    public CapacityRange {
        if (required.isPresent() && limit.isPresent() && limit.get().isLessThan(required.get())) {
            throw new StorageException(new Failure.CapacityOutOfRange(
                    "capacity_range: required_bytes " + required.get().bytes() + " is more than limit_bytes "
                            + limit.get().bytes()));
        }
    }

    /** From the wire, where zero is absent; negative numbers are refused. */
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

    /** The size to make: the required one; else the default, cut to the limit. */
    public Capacity choose() {
        return required.orElseGet(
                () -> limit.filter(most -> most.isLessThan(DEFAULT)).orElse(DEFAULT));
    }

    /** Whether a volume of this size would do. */
    public boolean fits(Capacity size) {
        return !required.map(size::isLessThan).orElse(false)
                && !limit.map(most -> most.isLessThan(size)).orElse(false);
    }

    /** Whether this size is over the limit. */
    public boolean exceededBy(Capacity size) {
        return limit.map(most -> most.isLessThan(size)).orElse(false);
    }
}
