package dev.fairlead.zfs.dataset;

import java.util.Locale;

/** Lists the types that {@code -t} takes. */
public enum DatasetType {
    FILESYSTEM,
    VOLUME,
    SNAPSHOT;

    /** Returns the type as {@code zfs} writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
