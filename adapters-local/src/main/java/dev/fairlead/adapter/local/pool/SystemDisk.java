package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.identity.RoomIdentity;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
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
                    } catch (IOException e) {
                        return Optional.of(new UnknownRoom(e));
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

    /** Stands for the room of a folder whose disk does not tell it: that of no other folder. */
    private record UnknownRoom(IOException why) {}

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

    /**
     * Returns whether a folder is known to share it; for one that is not there, whether it would if it were made. False
     * if a disk does not tell.
     */
    boolean holds(Path folder) {
        try {
            return tell(folder);
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Returns the same.
     *
     * @throws IOException if a disk does not tell
     */
    private boolean tell(Path folder) throws IOException {
        Optional<Object> device = Optional.empty();
        for (Path at = folder; device.isEmpty() && at != null; at = at.getParent()) {
            device = devices.apply(at);
        }
        List<Object> all = new ArrayList<>(device.stream().toList());
        for (Path place : places) {
            Optional<Object> its = devices.apply(place);
            if (its.isPresent() && its.equals(device)) {
                return true;
            }
            its.ifPresent(all::add);
        }
        for (Object told : all) {
            if (told instanceof UnknownRoom(IOException why)) {
                throw why;
            }
        }
        return false;
    }

    /**
     * Returns why no volume is made in a pool where it lies now; empty if one may be.
     *
     * @throws StorageException {@code BackendUnavailable} if the pool must not be on the operating system's file system
     *     and a disk does not tell whether it is
     */
    Optional<String> barred(PoolSettings pool, List<PoolSettings> all, DirectoryFailures failures) {
        if (!pool.sharesSystem() && holds(pool, failures)) {
            return Optional.of("the operating system's file system, which its systemDisk: refuse forbids: its disk is"
                    + " not mounted, or there is none; mount it");
        }
        return shared(pool, all)
                .map(other ->
                        "the file system that pool '" + other.name() + "' at " + other.path() + " is on too, or in"
                                + " one btrfs or ZFS pool with it, and both would promise the same bytes; mount a disk of its own,"
                                + " or list one of them only");
    }

    private boolean holds(PoolSettings pool, DirectoryFailures failures) {
        try {
            return tell(pool.path());
        } catch (IOException e) {
            String detail = "whether pool '" + pool.name() + "' at " + pool.path() + " lies on the operating system's"
                    + " file system, which its systemDisk: refuse forbids, cannot be told: " + e.getMessage()
                    + "; see with findmnt -T " + pool.path() + " what is mounted there, and with dmesg whether its disk"
                    + " and the system's are well";
            throw new StorageException(
                    new Failure.BackendUnavailable(failures.connection().value(), detail), e);
        }
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
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(new UnknownRoom(e));
        }
    }
}
