package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.nio.file.Path;
import java.util.List;

/** Makes the line of the mount table for a file system, and reads it back. */
final class FilesystemEntry {
    private FilesystemEntry() {}

    static MountEntry of(int id, Filesystem filesystem, Path target) {
        String device = "0:" + (100 + Math.floorMod(server(filesystem.source()).hashCode(), 1000));
        String access = filesystem.options().contains("ro") ? "ro" : "rw";
        return new MountEntry(
                id,
                1,
                device,
                "/",
                target.toString(),
                List.of(access),
                filesystem.type(),
                filesystem.source(),
                filesystem.options());
    }

    /** Returns what makes a file system one: the server of a share, since its shares may lie on one file system. */
    private static String server(String source) {
        return source.substring(0, Math.max(source.indexOf(":/"), 0) == 0 ? source.length() : source.indexOf(":/"));
    }

    static Filesystem filesystem(MountEntry entry) {
        return Filesystem.of(entry.fsType(), entry.source(), entry.superOptions());
    }
}
