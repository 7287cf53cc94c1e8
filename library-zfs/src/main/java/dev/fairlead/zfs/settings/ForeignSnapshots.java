package dev.fairlead.zfs.settings;

import dev.fairlead.application.config.ConfigNode;

/**
 * Says what DeleteVolume does about snapshots of the volume that no CSI caller asked for: an administrator's, or those
 * of a program that takes them on a schedule.
 */
public enum ForeignSnapshots {
    REFUSE,
    DESTROY;

    private static final String KEY = "foreignSnapshots";

    /** The alternative to removing them, for a refusal to name. */
    public static final String OTHERWISE =
            "set fairlead." + KEY + ": destroy in the connection's file, and such snapshots go with their volume";

    /** @param file the connection's file */
    public static ForeignSnapshots read(ConfigNode file) {
        return file.child("fairlead")
                .optional(KEY, ForeignSnapshots::parse, "expected: refuse or destroy")
                .orElse(REFUSE);
    }

    private static ForeignSnapshots parse(String text) {
        return switch (text) {
            case "refuse" -> REFUSE;
            case "destroy" -> DESTROY;
            case "keep" ->
                throw new IllegalArgumentException(
                        "'keep' is not offered: a volume with snapshots that are taken by a" + " plan would never go");
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}
