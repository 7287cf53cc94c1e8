package dev.fairlead.application.service.call;

import dev.fairlead.domain.volume.CsiName;
import java.nio.file.Path;

/**
 * Identifies the object that a lock is held on. Handles have the form that callers send, so that controller and node
 * use the same key.
 */
public record Key(String kind, String what) {
    public static Key volumeName(CsiName name) {
        return new Key("volume name", name.value());
    }

    public static Key snapshotName(CsiName name) {
        return new Key("snapshot name", name.value());
    }

    public static Key groupName(CsiName name) {
        return new Key("group snapshot name", name.value());
    }

    public static Key group(String handle) {
        return new Key("group snapshot", handle);
    }

    public static Key volume(String handle) {
        return new Key("volume", handle);
    }

    public static Key snapshot(String handle) {
        return new Key("snapshot", handle);
    }

    public static Key path(Path path) {
        return new Key("path", path.normalize().toString());
    }

    @Override
    public String toString() {
        return kind + " " + what;
    }
}
