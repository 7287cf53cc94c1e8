package dev.fairlead.adapter.freenas.export;

import dev.fairlead.application.config.ConfigNode;

/** Reads {@code shareHost}, the name or address by which nodes find a box that shares files. */
public final class ShareHost {
    private ShareHost() {}

    /** Returns the host; reports one that is missing, or none. */
    public static String read(ConfigNode block) {
        return block.require("shareHost", ShareHost::host, "unset", "the name or address of the box, as nodes find it");
    }

    private static String host(String text) {
        if (text.isBlank() || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("is no host");
        }
        return text.strip();
    }
}
