package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.config.ConfigNode;
import java.util.Locale;

/** What {@code fairlead.baseFolder} says of a base folder in which no volume was ever made. */
enum BaseFolder {
    /** It is there, and empty of volumes: the first CreateVolume lays it out. */
    EXISTING,

    /** The first CreateVolume makes it where it is missing. */
    CREATE,

    /** It has its folder {@code v} from the first, so that an empty mount point is never taken for it. */
    PREPARED;

    static final String KEY = "baseFolder";

    static BaseFolder read(ConfigNode file) {
        return file.child("fairlead")
                .optional(KEY, BaseFolder::parse, "expected: existing, create or prepared")
                .orElse(EXISTING);
    }

    private static BaseFolder parse(String text) {
        return switch (text) {
            case "existing", "create", "prepared" -> valueOf(text.toUpperCase(Locale.ROOT));
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}
