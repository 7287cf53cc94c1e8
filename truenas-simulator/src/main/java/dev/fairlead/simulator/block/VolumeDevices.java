package dev.fairlead.simulator.block;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Finds the device of a volume, which comes a while after the volume. */
public final class VolumeDevices {
    private static final String PREFIX = "zvol/";

    private final Clock clock;
    private final Duration delay;

    /** Makes it with the time that a device takes to come. */
    public VolumeDevices(Clock clock, Duration delay) {
        this.clock = clock;
        this.delay = delay;
    }

    /**
     * Tells whether the device of a path such as zvol/tank/a is there. A plus sign stands for a space, and no device
     * has one with a space.
     */
    boolean exists(Tables tables, String path) {
        return find(tables, path)
                .filter(_ -> path.indexOf(' ') < 0)
                .filter(row -> !LockedDatasets.holds(tables, JsonTools.text(row, "name")))
                .filter(row -> JsonTools.number(row, "born", 0) + delay.toMillis() <= clock.millis())
                .isPresent();
    }

    static Optional<JsonObject> find(Tables tables, String path) {
        if (!path.startsWith(PREFIX)) return Optional.empty();
        return tables.row("dataset", Attachments.volume(path))
                .filter(row -> JsonTools.text(row, "type").equals("VOLUME"));
    }

    /** Returns the path of a device, of which the box takes a space for a plus sign where it says so. */
    static String device(String path) {
        return path.replace(' ', '+');
    }

    /** Finds the NVMe namespace of a volume. */
    static Optional<JsonObject> namespace(Tables tables, String path) {
        return tables.rows(NvmeTables.NAMESPACES).stream()
                .filter(row -> JsonTools.text(row, "device_path").equals(path))
                .findFirst();
    }

    /** Finds the extent of a volume. */
    static Optional<JsonObject> extent(Tables tables, String path) {
        return tables.rows(ExtentMethods.EXTENTS).stream()
                .filter(row -> JsonTools.text(row, "disk").equals(path))
                .findFirst();
    }

    /** Makes a volume read-only or not, as its extent is. */
    static void readonly(Tables tables, String path, boolean readonly) {
        find(tables, path).ifPresent(row -> {
            JsonObject props = JsonTools.with(JsonTools.child(row, "props"), "readonly", readonly ? "on" : "off");
            tables.put("dataset", JsonTools.text(row, "name"), JsonTools.with(row, "props", props));
        });
    }
}
