package dev.fairlead.zfs.dataset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Names a ZFS filesystem or volume, such as {@code tank/k8s/pvc-1}.
 *
 * <p>The characters are those of zfs(8), "ZFS Dataset naming": letters, digits, and {@code _-.:} and blanks within a
 * component. A component of only dots is refused, since it would mean something in a mount point.
 */
public record DatasetName(String value) implements Comparable<DatasetName> {
    /** ZFS_MAX_DATASET_NAME_LEN without its terminating zero. */
    public static final int MAX_BYTES = 255;

    public DatasetName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("'" + value + "' is no name of a dataset (expected: pool/dataset…, of"
                    + " letters, digits, '_', '-', '.', ':', at most " + MAX_BYTES + " bytes)");
        }
    }

    public static boolean isValid(String value) {
        if (value.isEmpty() || value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return false;
        }
        char first = value.charAt(0);
        if (!isLetter(first)) {
            return false; // a pool's name begins with a letter
        }
        for (String component : value.split("/", -1)) {
            if (!isComponent(component)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isComponent(String component) {
        return !component.isBlank()
                && component.chars().allMatch(DatasetName::allowed)
                && component.charAt(0) != '-' // a program could take it for an option
                && component.charAt(0) != ' '
                && component.charAt(component.length() - 1) != ' '
                && component.chars().anyMatch(c -> c != '.');
    }

    static boolean allowed(int c) {
        return isLetter(c) || (c >= '0' && c <= '9') || "_-.: ".indexOf(c) >= 0;
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    public static Optional<DatasetName> of(String value) {
        return isValid(value) ? Optional.of(new DatasetName(value)) : Optional.empty();
    }

    /**
     * Returns the dataset of this name directly below.
     *
     * @throws IllegalArgumentException if the result is no valid name, for example because it is too long
     */
    public DatasetName child(String component) {
        return new DatasetName(value + "/" + component);
    }

    public SnapshotName snapshot(String name) {
        return new SnapshotName(this, name);
    }

    /** Returns the component after the last slash. */
    public String leaf() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    public Optional<DatasetName> parent() {
        int slash = value.lastIndexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(new DatasetName(value.substring(0, slash)));
    }

    public String pool() {
        int slash = value.indexOf('/');
        return slash < 0 ? value : value.substring(0, slash);
    }

    /** Says whether this lies below the other, at whatever depth. */
    public boolean isBelow(DatasetName other) {
        return value.startsWith(other.value + "/");
    }

    /** Says whether one of the two is the other or lies below it. */
    public boolean overlaps(DatasetName other) {
        return equals(other) || isBelow(other) || other.isBelow(this);
    }

    @Override
    public int compareTo(DatasetName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
