package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountStat;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Returns what is mounted at one path and what a directory would show if it were bound.
 *
 * <p>If the kernel can be asked for a single mount ({@link MountStat}), it is asked, since the mount table of a busy
 * node takes milliseconds to read; otherwise the table is read.
 */
final class MountView {
    private static final int SB_RDONLY = 1;
    private static final int SB_SYNCHRONOUS = 0x10;
    private static final int SB_DIRSYNC = 0x80;
    private static final int SB_LAZYTIME = 1 << 25;

    private final boolean single;

    /** @param single whether the kernel may be asked for single mounts; otherwise the table is always read */
    MountView(boolean single) {
        this.single = single;
    }

    /** Returns the topmost mount at exactly this path. May hang if the file system mounted there does. */
    Optional<MountEntry> at(Path path) throws IOException {
        if (!single) {
            return inTable(path);
        }
        try (PathHandle place = PathHandle.of(path)) {
            Optional<MountStat> stat = MountStat.of(place);
            return stat.isPresent() ? stat.filter(MountStat::isRoot).map(MountView::entry) : inTable(path);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP -> Optional.empty();
                default -> inTable(path); // a dead mount may refuse to be opened, but is in the table
            };
        }
    }

    /** Returns the same from the mount table; touches only the parent, never what is mounted there. */
    static Optional<MountEntry> inTable(Path path) throws IOException {
        return MountTable.at(MountTable.read(), canonical(path).toString());
    }

    private static Path canonical(Path path) {
        Path plain = path.normalize();
        Path parent = plain.getParent();
        if (parent == null) {
            return plain;
        }
        try {
            return parent.toRealPath().resolve(plain.getFileName());
        } catch (IOException _) {
            return plain;
        }
    }

    /**
     * Returns what a bind mount of this directory shows: a file system and a directory of it.
     *
     * @throws UnmountedException if the mount in which it lies has been unmounted since it was opened
     */
    Shown shownBy(PathHandle directory) throws IOException {
        Optional<MountStat> stat = single ? MountStat.of(directory) : Optional.empty();
        MountEntry mount = stat.isPresent() ? entry(stat.get()) : inTable(directory);
        String where = directory.where().toString();
        if (!MountTable.holds(mount.mountPoint(), where)) {
            throw new UnmountedException(where + " is not to be found below " + mount.mountPoint());
        }
        String below = where.substring(
                mount.mountPoint().equals("/") ? 0 : mount.mountPoint().length());
        if (mount.isNfs()) {
            return new Shown(mount.device(), "/", mount.source() + below, mount.options());
        }
        String root = mount.root().equals("/") ? below : mount.root() + (below.equals("/") ? "" : below);
        return new Shown(mount.device(), root.isEmpty() ? "/" : root, "", mount.options());
    }

    /** Returns every mount that shows a directory or a part of it, except those above it. */
    List<MountEntry> showing(Path directory) throws IOException {
        try (PathHandle handle = PathHandle.ofDirectory(directory)) {
            Shown shown = shownBy(handle);
            String where = handle.where().toString();
            return MountTable.ofDevice(shown.device()).stream()
                    .filter(entry -> shown.holds(entry) && !MountTable.holds(entry.mountPoint(), where))
                    .toList();
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP -> List.of();
                default -> throw e;
            };
        }
    }

    private static MountEntry inTable(PathHandle directory) throws IOException {
        Path facts = Path.of("/proc/self/fdinfo").resolve(directory.self().getFileName());
        String id = Files.readAllLines(facts).stream()
                .filter(line -> line.startsWith("mnt_id:"))
                .findFirst()
                .map(line -> line.substring("mnt_id:".length()).strip())
                .orElseThrow(() -> new IOException(facts + " names no mount"));
        return MountTable.read().stream()
                .filter(entry -> Integer.toString(entry.id()).equals(id))
                .findFirst()
                .orElseThrow(() -> new UnmountedException("mount " + id + " is not in the mount table"));
    }

    private static MountEntry entry(MountStat stat) {
        List<String> superOptions = new ArrayList<>();
        superOptions.add((stat.superFlags() & SB_RDONLY) != 0 ? "ro" : "rw");
        addIf(superOptions, stat.superFlags() & SB_SYNCHRONOUS, "sync");
        addIf(superOptions, stat.superFlags() & SB_DIRSYNC, "dirsync");
        addIf(superOptions, stat.superFlags() & SB_LAZYTIME, "lazytime");
        superOptions.addAll(MountOptions.shown(stat.superOptions()));
        return new MountEntry(
                stat.id(),
                stat.parentId(),
                stat.deviceMajor() + ":" + stat.deviceMinor(),
                stat.root(),
                stat.mountPoint(),
                BindFlags.optionsOf(stat.attributes()),
                stat.fsType(),
                stat.source(),
                superOptions);
    }

    private static void addIf(List<String> options, int bit, String option) {
        if (bit != 0) {
            options.add(option);
        }
    }

    /**
     * Tells what is visible through a directory.
     *
     * @param source the source that a mount of it has, for NFS, which tells its directories by that alone; else empty
     * @param options the options of the mount in which it lies
     */
    record Shown(String device, String root, String source, List<String> options) {
        Shown {
            options = List.copyOf(options);
        }

        /** Returns whether the entry shows this directory or one below it. */
        boolean holds(MountEntry entry) {
            return device.equals(entry.device())
                    && MountTable.holds(root, entry.root())
                    && (source.isEmpty() || MountTable.holds(source, entry.source()));
        }

        boolean isAt(MountEntry entry) {
            return device.equals(entry.device())
                    && root.equals(entry.root())
                    && (source.isEmpty() || source.equals(entry.source()));
        }
    }
}
