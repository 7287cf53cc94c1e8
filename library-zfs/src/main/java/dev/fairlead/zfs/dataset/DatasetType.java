package dev.fairlead.zfs.dataset;

import java.util.Locale;

/** What {@code -t} takes. */
public enum DatasetType {
    FILESYSTEM,
    VOLUME,
    SNAPSHOT;

    /** As {@code zfs} writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
