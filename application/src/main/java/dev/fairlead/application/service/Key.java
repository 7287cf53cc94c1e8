package dev.fairlead.application.service;

import dev.fairlead.domain.volume.CsiName;
import java.nio.file.Path;

/**
 * Identifies the object that a lock is held on. Handles have the form that callers send, so that controller and node
 * use the same key.
 */
record Key(String kind, String what) {
    static Key volumeName(CsiName name) {
        return new Key("volume name", name.value());
    }

    static Key snapshotName(CsiName name) {
        return new Key("snapshot name", name.value());
    }

    static Key groupName(CsiName name) {
        return new Key("group snapshot name", name.value());
    }

    static Key group(String handle) {
        return new Key("group snapshot", handle);
    }

    static Key volume(String handle) {
        return new Key("volume", handle);
    }

    static Key snapshot(String handle) {
        return new Key("snapshot", handle);
    }

    static Key path(Path path) {
        return new Key("path", path.normalize().toString());
    }

    @Override
    public String toString() {
        return kind + " " + what;
    }
}
