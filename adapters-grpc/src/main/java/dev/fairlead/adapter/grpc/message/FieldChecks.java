package dev.fairlead.adapter.grpc.message;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.MountOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks what holds for every field of a kind: present if required, within CSI's size limits, no NUL. */
public final class FieldChecks {
    static final int TEXT = 128;
    /** CSI allows 128 bytes; peers have given longer ids, which must go on working. */
    public static final int HANDLE = 512;
    /** A token holds a connection's name and an id. */
    public static final int TOKEN = 1024;

    private static final int MAP = 4096;
    private static final int FLAGS = 4096;
    private static final int PATH = 4096;

    private FieldChecks() {}

    public static StorageException invalid(String field, String expected) {
        return new StorageException(new Failure.InvalidRequest(field, expected));
    }

    /**
     * Returns a handle that has to be given. Its content is for the use case to check: a handle that nobody gave is
     * "not found".
     */
    public static String handle(String field, String value) {
        if (value.isEmpty()) {
            throw invalid(field, "is missing (expected: an id)");
        }
        return text(field, value, HANDLE);
    }

    public static Optional<String> given(String field, String value, int most) {
        return value.isEmpty() ? Optional.empty() : Optional.of(text(field, value, most));
    }

    public static String text(String field, String value, int most) {
        int size = bytes(value);
        if (size > most) {
            throw invalid(field, size + " bytes are too many (expected: at most " + most + ")");
        }
        noNul(field, value);
        return value;
    }

    public static Map<String, String> map(String field, Map<String, String> values) {
        int size = 0;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            size += bytes(entry.getKey()) + bytes(entry.getValue());
            noNul(field, entry.getKey());
            noNul(field, entry.getValue());
        }
        if (size > MAP) {
            throw invalid(field, size + " bytes of keys and values are too many (expected: at most " + MAP + ")");
        }
        return values;
    }

    /** Returns secrets within the limits of a map; a message about them names no value. */
    public static Map<String, Secret> secrets(String field, Map<String, String> values) {
        Map<String, Secret> secrets = new HashMap<>();
        map(field, values).forEach((key, value) -> secrets.put(key, new Secret(value)));
        return secrets;
    }

    static List<String> flags(String field, List<String> flags) {
        int size = 0;
        for (String flag : flags) {
            size += bytes(flag);
            noNul(field, flag);
        }
        if (size > FLAGS) {
            throw invalid(field, size + " bytes are too many (expected: at most " + FLAGS + ")");
        }
        var _ = MountOptions.of(field, flags);
        return flags;
    }

    /** Returns an absolute path that has to be given and has no {@code ..} in it. */
    public static Path path(String field, String value) {
        if (value.isEmpty()) {
            throw invalid(field, "is missing (expected: an absolute path)");
        }
        text(field, value, PATH);
        try {
            Path path = Path.of(value);
            if (!path.isAbsolute() || path.getNameCount() == 0 || climbs(path)) {
                throw invalid(field, Excerpt.of(value) + " (expected: an absolute path below / without '..')");
            }
            return path.normalize();
        } catch (InvalidPathException e) {
            throw new StorageException(
                    new Failure.InvalidRequest(field, "is not a path of this system (expected: an absolute path)"), e);
        }
    }

    public static Optional<Path> givenPath(String field, String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(path(field, value));
    }

    /** Returns how many entries a list may have; 0 stands for no limit. */
    public static int maxEntries(int value) {
        if (value < 0) {
            throw invalid("max_entries", value + " (expected: 0 or more)");
        }
        return value;
    }

    private static boolean climbs(Path path) {
        for (Path name : path) {
            if (name.toString().equals("..")) {
                return true;
            }
        }
        return false;
    }

    private static int bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void noNul(String field, String value) {
        if (value.indexOf('\0') >= 0) {
            throw invalid(field, "holds a NUL (expected: none)");
        }
    }
}
