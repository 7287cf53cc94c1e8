package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import java.util.Locale;
import java.util.Map;

/** The names of SMB shares, which tell less than those of datasets: two of a pool could have one. */
public record ShareNames(Parents parents) {
    /** The name that ZFS gives to a share: what Samba's usershares do not take in one is an underscore. */
    public static String of(DatasetName dataset) {
        return dataset.value().replaceAll("[/: -]", "_");
    }

    /**
     * The file that Samba keeps it in, and what two shares are one by: it does not tell capitals from small letters.
     */
    public static String file(DatasetName dataset) {
        return of(dataset).toLowerCase(Locale.ROOT);
    }

    /** What to say of a dataset whose share would be another's. */
    public static String taken(DatasetName dataset, String path) {
        return dataset + " would be shared by SMB as '" + of(dataset) + "', and a share of that name is there for "
                + Excerpt.of(path)
                + ", since '/', '-' and '_' are one there, and capitals are small; give one of the two"
                + " another name; where the other is no volume any more, 'net usershare delete " + file(dataset)
                + "' there";
    }

    /** Reports parents below which two volumes could be given one share, so that a node would mount the other's. */
    public void check(ConfigNode file) {
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

    private static boolean mayClash(DatasetName one, DatasetName other) {
        String name = file(one) + "_";
        String otherName = file(other) + "_";
        return name.startsWith(otherName) || otherName.startsWith(name);
    }
}
