package dev.fairlead.domain.volume;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Holds a backend's own id of a volume or snapshot, which follows the connection's name in a handle.
 *
 * <p>What is refused here is refused for every backend: control characters, blanks, characters that mean something to a
 * shell, and path segments that lead out of a folder. A store narrows this further to the form of its own ids; an id
 * that has not that form was never its own, which is "not found", not an error.
 */
public record NativeId(String value) implements Comparable<NativeId> {
    /**
     * The greatest length of an id: CSI allows 128 bytes, but peers have written longer snapshot ids, which must still
     * be deletable.
     */
    public static final int MAX_BYTES = 512;

    public NativeId {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "id: not one that a storage backend gives (expected: letters, digits and any of _-.:+@/=&%~,)");
        }
    }

    /** Reads an id that was written down; empty if no storage backend gives it. */
    public static Optional<NativeId> read(String text) {
        return isValid(text) ? Optional.of(new NativeId(text)) : Optional.empty();
    }

    public static boolean isValid(String value) {
        if (value.isEmpty() || value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return false;
        }
        if (!value.chars().allMatch(NativeId::allowed)) {
            return false;
        }
        for (String segment : value.split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                return false;
            }
        }
        return true;
    }

    private static boolean allowed(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "_-.:+@/=&%~,".indexOf(c) >= 0;
    }

    @Override
    public int compareTo(NativeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
