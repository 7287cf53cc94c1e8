package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.application.config.ConfigNode;
import java.util.Locale;

/** Says by {@code fairlead.baseFolder} how a base folder begins in which no volume was ever made. */
public enum BaseFolder {
    /** It exists without volumes: the first CreateVolume makes the folders in it. */
    EXISTING,

    /** It may be missing: the first CreateVolume makes it. */
    CREATE,

    /** It has its folder {@code v} from the beginning, so that an empty mount point is never taken for it. */
    PREPARED;

    static final String KEY = "baseFolder";

    public static BaseFolder read(ConfigNode file) {
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
