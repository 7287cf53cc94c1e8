package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Parents;
import dev.fairlead.application.config.ConfigNode;
import java.util.Locale;
import java.util.Map;

/** The names of SMB shares, which tell less than those of datasets: two of a pool could have one. */
record ShareNames(Parents parents) {
    /** The name that ZFS gives to a share: what Samba's usershares do not take in one is an underscore. */
    static String of(DatasetName dataset) {
        return dataset.value().replaceAll("[/-]", "_");
    }

    /** Reports parents below which two volumes could be given one share, so that a node would mount the other's. */
    void check(ConfigNode file) {
        ConfigNode block = file.strictChild("fairlead").child("parents");
        for (Map.Entry<String, DatasetName> entry : parents.labelled().entrySet()) {
            String label = entry.getKey();
            DatasetName parent = entry.getValue();
            parents.all().stream()
                    .filter(other -> !other.equals(parent) && mayClash(parent, other))
                    .findFirst()
                    .ifPresent(other -> block.problems()
                            .error(
                                    block.pathOf(label),
                                    block.lineOf(label),
                                    "SMB shares below '" + parent + "' and below '" + other + "' could have one name,"
                                            + " since '/' and '-' are '_' there",
                                    "name datasets of which none begins as another does, read that way"));
        }
    }

    /** Samba does not tell capitals from small letters. */
    private static boolean mayClash(DatasetName one, DatasetName other) {
        String name = (of(one) + "_").toLowerCase(Locale.ROOT);
        String otherName = (of(other) + "_").toLowerCase(Locale.ROOT);
        return name.startsWith(otherName) || otherName.startsWith(name);
    }
}
