package dev.fairlead.domain.capacity;

import java.util.Optional;

/** Holds a size in bytes, never negative. */
public record Capacity(long bytes) implements Comparable<Capacity> {
    public static final Capacity ZERO = new Capacity(0);

    public Capacity {
        if (bytes < 0) {
            throw new IllegalArgumentException("capacity: " + bytes + " bytes (expected: 0 or more)");
        }
    }

    public static Capacity ofBytes(long bytes) {
        return new Capacity(bytes);
    }

    /** Reads a number of bytes that was written down; empty if it is none, or negative. */
    public static Optional<Capacity> read(String text) {
        try {
            return Optional.of(Long.parseLong(text)).filter(bytes -> bytes >= 0).map(Capacity::new);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    public static Capacity ofGibibytes(long gibibytes) {
        return new Capacity(Math.multiplyExact(gibibytes, 1L << 30));
    }

    public boolean isLessThan(Capacity other) {
        return bytes < other.bytes;
    }

    @Override
    public int compareTo(Capacity other) {
        return Long.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return bytes + " bytes";
    }
}
