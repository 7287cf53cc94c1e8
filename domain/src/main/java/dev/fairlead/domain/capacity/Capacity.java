package dev.fairlead.domain.capacity;

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
