package dev.fairlead.adapter.local.directory.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Map;

/**
 * Checks which way of taking snapshots is asked for: {@code snapshots.default_driver}, or a snapshot class's
 * {@code driver}.
 *
 * <p>Of democratic-csi's three only {@code filecopy} leaves the snapshot on the same storage.
 */
public final class SnapshotMethod {
    public static final String FILECOPY = "filecopy";
    private static final String PARAMETER = "driver";

    private SnapshotMethod() {}

    static void read(ConfigNode snapshots) {
        snapshots.ignore("restic", "kopia");
        snapshots
                .scalar("default_driver")
                .filter(scalar -> !scalar.text().equals(FILECOPY))
                .ifPresent(scalar -> snapshots
                        .problems()
                        .error(
                                snapshots.pathOf("default_driver"),
                                scalar.line(),
                                "'" + scalar.text() + "' " + whyNot(scalar.text()),
                                "write " + FILECOPY + " or leave it out; " + instead()));
    }

    /** Refuses a snapshot class that asks for another driver. */
    public static void check(Map<String, String> parameters) {
        String driver = parameters.getOrDefault(PARAMETER, FILECOPY);
        if (!driver.equals(FILECOPY)) {
            throw unsupported(driver);
        }
    }

    /** Returns the failure for a snapshot that another driver took. */
    public static StorageException unsupported(String driver) {
        return new StorageException(new Failure.Unsupported(
                "snapshot driver '" + driver + "' " + whyNot(driver), "use " + FILECOPY + "; " + instead()));
    }

    private static String whyNot(String driver) {
        return switch (driver) {
            case "restic", "kopia" -> "keeps snapshots in a backup repository, which Fairlead does not serve";
            default -> "is not a way to take snapshots";
        };
    }

    private static String instead() {
        return "back up and restore such repositories with the tool that owns them";
    }
}
