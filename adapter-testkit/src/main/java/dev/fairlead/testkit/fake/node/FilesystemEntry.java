package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

    /** Makes the line for a bind mount of a device node. */
    static MountEntry ofDevice(int id, String name, Path target, String access) {
        return new MountEntry(id, 1, "0:5", name, target.toString(), List.of(access), "devtmpfs", "udev", List.of());
    }

    /** Returns the mount in which a path lies: the deepest one, and of several at its path the last. */
    static MountEntry holding(List<MountEntry> table, Path path) {
        return table.stream()
                .filter(entry -> path.startsWith(entry.mountPoint()))
                .reduce((a, b) -> Path.of(b.mountPoint()).getNameCount()
                                >= Path.of(a.mountPoint()).getNameCount()
                        ? b
                        : a)
                .orElseThrow();
    }

    static void refuseIfOther(MountEntry present, MountEntry wanted) {
        if (!present.showsSameAs(wanted) || !present.options().equals(wanted.options())) {
            throw new StorageException(new Failure.MountConflict(
                    wanted.mountPoint(), "it shows " + present.root() + " with " + present.options()));
        }
    }

    /** Makes the line for a bind mount of a directory that lies in another mount. */
    static MountEntry bound(int id, int parent, MountEntry holder, Path source, Path target, List<String> flags) {
        String below = Path.of(holder.mountPoint()).relativize(source).toString();
        String root = below.isEmpty()
                ? holder.root()
                : Path.of(holder.root()).resolve(below).toString();
        List<String> options = Stream.concat(
                        Stream.of(flags.contains("ro") ? "ro" : "rw"),
                        flags.stream().filter(flag -> !flag.equals("ro") && !flag.equals("rw")))
                .distinct()
                .toList();
        return new MountEntry(
                id,
                parent,
                holder.device(),
                root,
                target.toString(),
                options,
                holder.fsType(),
                holder.source(),
                holder.superOptions());
    }

    /** Returns a line with other options of its file system. */
    static MountEntry changed(MountEntry entry, List<String> superOptions) {
        return new MountEntry(
                entry.id(),
                entry.parent(),
                entry.device(),
                entry.root(),
                entry.mountPoint(),
                entry.options(),
                entry.fsType(),
                entry.source(),
                superOptions);
    }

    /** Returns what makes a file system one: the server of a share, since its shares may lie on one file system. */
    private static String server(String source) {
        return source.substring(0, Math.max(source.indexOf(":/"), 0) == 0 ? source.length() : source.indexOf(":/"));
    }

    static Filesystem filesystem(MountEntry entry) {
        return Filesystem.of(entry.fsType(), entry.source(), entry.superOptions());
    }
}
