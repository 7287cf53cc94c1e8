package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.pool.identity.RoomIdentity;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Tells whether a folder lies on the file system of the operating system, which a full pool would stop.
 *
 * @param places folders of the operating system, of which those count that exist
 * @param exists returns whether a file exists; true if its disk does not tell
 * @param devices returns the identity of the room that a folder is in; empty if there is no such folder
 */
record SystemDisk(List<Path> places, Function<Path, Optional<Object>> devices, Predicate<Path> exists) {
    SystemDisk {
        places = List.copyOf(places);
    }

    SystemDisk(List<Path> places, Function<Path, Optional<Object>> devices) {
        this(places, devices, Files::exists);
    }

    SystemDisk(List<Path> places) {
        this(places, SystemDisk::device);
    }

    /**
     * Returns a disk that waits for a time at most when it looks at a folder. One that exists and cannot be looked at,
     * as of a dead disk, is on a file system of its own: neither the folder above it nor a neighbour tells which.
     */
    static SystemDisk asking(List<Path> places, DiskQuestion question, Look look) {
        return new SystemDisk(
                places,
                folder -> {
                    try {
                        return Optional.of(question.ask(folder, () -> look.device(folder)));
                    } catch (NoSuchFileException _) {
                        return Optional.empty();
                    } catch (IOException _) {
                        return Optional.of(new Object());
                    }
                },
                file -> {
                    try {
                        return question.ask(file, () -> Files.exists(file));
                    } catch (IOException _) {
                        return true;
                    }
                });
    }

    /** Looks at a folder. */
    @FunctionalInterface
    interface Look {
        Object device(Path folder) throws Exception;
    }

    /** Returns the disk of this machine, also as a container sees it whose root is none of the machine's. */
    static SystemDisk ofThisMachine(DiskQuestion question) {
        return asking(
                List.of(Path.of("/"), Path.of("/var/lib/kubelet"), Path.of("/csi")),
                question,
                RoomIdentity.OF_KERNEL::of);
    }

    /** Returns whether a folder shares it; for one that is not there, whether it would if it were made. */
    boolean holds(Path folder) {
        Optional<Object> device = Optional.empty();
        for (Path at = folder; device.isEmpty() && at != null; at = at.getParent()) {
            device = devices.apply(at);
        }
        return device.isPresent() && places.stream().map(devices).anyMatch(device::equals);
    }

    /**
     * Returns a pool of these that has volumes in the room that this one is in. One without its mark does not count:
     * its own disk may be away; nor one with this one's path, whose mark says whose it is.
     */
    Optional<PoolSettings> shared(PoolSettings pool, List<PoolSettings> all) {
        Optional<Object> device = devices.apply(pool.path());
        return all.stream()
                .filter(other -> device.isPresent() && !other.path().equals(pool.path()))
                .filter(other -> devices.apply(other.path()).equals(device))
                .filter(other -> exists.test(new BaseFolderLayout(other.path()).owner()))
                .findFirst();
    }

    private static Optional<Object> device(Path folder) {
        try {
            return Optional.of(RoomIdentity.OF_KERNEL.of(folder));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
