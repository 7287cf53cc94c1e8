package dev.fairlead.adapter.local.directory.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.linux.Accounts;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads users and groups, by name or number; zero is valid and means root. */
public final class Ownership {
    /** The largest id; the one above it means "leave as it is" to the kernel. */
    private static final long MAX_ID = 0xFFFF_FFFEL;

    private Ownership() {}

    public static Optional<Integer> user(ConfigNode block, String key) {
        return read(block, key, "user", Accounts::user);
    }

    public static Optional<Integer> group(ConfigNode block, String key) {
        return read(block, key, "group", Accounts::group);
    }

    private static Optional<Integer> read(
            ConfigNode block, String key, String what, Function<String, OptionalInt> lookup) {
        return block.optional(
                key,
                text -> id(text, what, lookup),
                "expected: a name that this machine knows, or a number, which works everywhere");
    }

    private static int id(String text, String what, Function<String, OptionalInt> lookup) {
        if (text.equals("root")) {
            return 0;
        }
        if (text.matches("[0-9]{1,10}")) {
            long id = Long.parseLong(text);
            if (id > MAX_ID) {
                throw new IllegalArgumentException(id + " is too large for the id of a " + what);
            }
            return (int) id;
        }
        return lookup.apply(text)
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + text + "' is not a " + what + " of this machine"));
    }
}
