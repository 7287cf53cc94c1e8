package dev.fairlead.simulator.encryption;

import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.Optional;

/** Says which datasets are locked: encrypted, without their key, or below one that is so. */
public final class LockedDatasets {
    private static final String MOUNTS = "/mnt/";
    private static final String ZVOLS = "zvol/";

    private LockedDatasets() {}

    /** Tells whether a dataset is locked. */
    public static boolean holds(Tables tables, String dataset) {
        for (String at = dataset; !at.isEmpty(); at = at.contains("/") ? at.substring(0, at.lastIndexOf('/')) : "") {
            Optional<Boolean> locked = tables.row("dataset", at).map(row -> JsonTools.flag(row, "locked", false));
            if (locked.orElse(false)) return true;
        }
        return false;
    }

    /** Tells the same of a path, such as /mnt/tank/a or zvol/tank/a. */
    public static boolean holdsPath(Tables tables, String path) {
        if (path.startsWith(MOUNTS)) return holds(tables, path.substring(MOUNTS.length()));
        return path.startsWith(ZVOLS)
                && holds(tables, path.substring(ZVOLS.length()).replace('+', ' '));
    }
}
