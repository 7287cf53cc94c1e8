package dev.fairlead.application.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads the path of a base folder: absolute, not the root, and without {@code .} and {@code ..}. */
public final class FolderPath {
    private FolderPath() {}

    public static Path read(ConfigNode block, String key) {
        return block.require(
                key, FolderPath::parse, Path.of("/nowhere"), "expected: an absolute path such as /var/lib/volumes");
    }

    private static Path parse(String text) {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is not a path: " + e.getReason(), e);
        }
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("'" + text + "' is not absolute");
        }
        if (path.getNameCount() == 0) {
            throw new IllegalArgumentException("is the root folder, in which volumes would mix with the system");
        }
        if (!path.equals(path.normalize())) {
            throw new IllegalArgumentException("'" + text + "' holds '.' or '..'");
        }
        return path;
    }
}
