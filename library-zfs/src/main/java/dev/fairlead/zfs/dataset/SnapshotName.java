package dev.fairlead.zfs.dataset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Names a ZFS snapshot, such as {@code tank/k8s/pvc-1@daily}. */
public record SnapshotName(DatasetName dataset, String name) {
    public SnapshotName {
        if (!isValid(dataset, name)) {
            throw new IllegalArgumentException("'" + dataset + "@" + name + "' is no name of a snapshot (expected:"
                    + " dataset@name, the name of letters, digits, '_', '-', '.', ':', at most "
                    + DatasetName.MAX_BYTES + " bytes in all)");
        }
    }

    /** Says whether ZFS takes this name; others' snapshots may have names that Fairlead never gives. */
    private static boolean isValid(DatasetName dataset, String name) {
        return !name.isEmpty()
                && name.chars().allMatch(DatasetName::allowed)
                && (dataset.value() + "@" + name).getBytes(StandardCharsets.UTF_8).length <= DatasetName.MAX_BYTES;
    }

    public static Optional<SnapshotName> of(String value) {
        int at = value.indexOf('@');
        if (at < 0) {
            return Optional.empty();
        }
        String name = value.substring(at + 1);
        return DatasetName.of(value.substring(0, at))
                .filter(dataset -> isValid(dataset, name))
                .map(dataset -> new SnapshotName(dataset, name));
    }

    @Override
    public String toString() {
        return dataset + "@" + name;
    }
}
