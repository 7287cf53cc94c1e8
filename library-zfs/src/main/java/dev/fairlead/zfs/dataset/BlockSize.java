package dev.fairlead.zfs.dataset;

import dev.fairlead.domain.capacity.Capacity;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds the block size of a ZFS volume ({@code volblocksize}) in bytes: a power of two from 512 to 128 KiB. A volume's
 * size has to be a multiple of it.
 */
public record BlockSize(int bytes) {
    /** The size that democratic-csi takes if none is set. */
    public static final BlockSize DEFAULT = new BlockSize(16 << 10);

    /** The largest size in bytes that ZFS makes. */
    public static final int MOST = 128 << 10;

    private static final int LEAST = 512;

    public BlockSize {
        if (bytes < LEAST || bytes > MOST || Integer.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    "block size: " + bytes + " bytes (expected: a power of two from 512 to 131072)");
        }
    }

    /** Reads a size such as {@code 512}, {@code 16384}, {@code 16K} or {@code 16k}; empty if it is none. */
    public static Optional<BlockSize> of(String text) {
        String upper = text.strip().toUpperCase(Locale.ROOT);
        boolean kilo = upper.endsWith("K");
        String digits = kilo ? upper.substring(0, upper.length() - 1) : upper;
        if (!digits.matches("[0-9]{1,6}")) {
            return Optional.empty();
        }
        int bytes = Integer.parseInt(digits) * (kilo ? 1024 : 1);
        boolean fits = bytes >= LEAST && bytes <= MOST && Integer.bitCount(bytes) == 1;
        return fits ? Optional.of(new BlockSize(bytes)) : Optional.empty();
    }

    /** Returns the smallest size of a volume of such blocks that holds this much. */
    public Capacity atLeast(Capacity wanted) {
        long over = wanted.bytes() % bytes;
        long rounded = over == 0 ? wanted.bytes() : Math.addExact(wanted.bytes(), bytes - over);
        return Capacity.ofBytes(Math.max(rounded, bytes));
    }

    /** Returns the size as {@code zfs} and democratic-csi's files write it, such as {@code 16K}. */
    @Override
    public String toString() {
        return bytes < 1024 ? Integer.toString(bytes) : bytes / 1024 + "K";
    }
}
