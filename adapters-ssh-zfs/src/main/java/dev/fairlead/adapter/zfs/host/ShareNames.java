package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import java.util.Locale;
import java.util.Map;

/**
 * Makes the names of SMB shares, which differ less than those of datasets: two datasets of a pool could get the same
 * one.
 */
public record ShareNames(Parents parents) {
    /**
     * Returns the name that ZFS gives to a share, with an underscore for each character that Samba's usershares do not
     * allow.
     */
    public static String of(DatasetName dataset) {
        return dataset.value().replaceAll("[/: -]", "_");
    }

    /**
     * Returns the name of the file in which Samba keeps the share; two shares with the same one clash, since Samba does
     * not tell capitals from small letters.
     */
    public static String file(DatasetName dataset) {
        return of(dataset).toLowerCase(Locale.ROOT);
    }

    /** Returns a text about a dataset whose share's name is taken by another share. */
    public static String taken(DatasetName dataset, String path) {
        return dataset + " would be shared by SMB as '" + of(dataset) + "', and a share of that name is there for "
                + Excerpt.of(path)
                + ", since '/', '-' and '_' are one there, and capitals are small; give one of the two"
                + " another name; if the other is no volume any more, 'net usershare delete " + file(dataset)
                + "' there";
    }

    /**
     * Reports parents below which two volumes could get the same share name, so that a node could mount the wrong one.
     */
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
