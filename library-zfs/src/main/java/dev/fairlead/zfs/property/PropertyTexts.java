package dev.fairlead.zfs.property;

import java.util.regex.Pattern;

/** Says which names ZFS takes for a property (zfsprops(7)). */
public final class PropertyTexts {
    private static final Pattern NATIVE = Pattern.compile("[a-z][a-z0-9@]{0,254}");
    private static final Pattern USER = Pattern.compile("[a-z0-9_.+-]*:[a-z0-9_.:+-]*");
    private static final int MAX_NAME = 255;

    private PropertyTexts() {}

    /**
     * Says whether this names a native property, or a user property, which has a colon and must not begin with a dash.
     */
    public static boolean isName(String name) {
        return name.length() <= MAX_NAME
                && (NATIVE.matcher(name).matches() || (USER.matcher(name).matches() && !name.startsWith("-")));
    }
}
