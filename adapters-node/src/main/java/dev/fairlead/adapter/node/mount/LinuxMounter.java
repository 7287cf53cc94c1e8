package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.Silence;
import dev.fairlead.domain.health.Silence.Kind;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes and removes the mounts of this Linux node by system calls. */
public final class LinuxMounter implements Mounter {
    /**
     * The time after which, instead of the path, the mount table is asked what is mounted there, since it never hangs.
     */
    private static final Duration GLANCE = Duration.ofSeconds(2);

    /** The most mounts taken off one path, more than anybody stacks by mistake. */
    private static final int MOST_LAYERS = 1000;

    /**
     * The time for which a mount that is in use is tried again, since a child has its parent's files open until it runs
     * its own program.
     */
    private static final Duration PASSING = Duration.ofSeconds(1);

    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final KernelThreads threads;
    private final MountView view;
    private final Directories directories;
    private final DirectoryBinds binds;
    private final DeviceBinds devices;
    private final FilesystemMounts filesystems;

    /** @param patience how long the program that mounts may take */
    LinuxMounter(KernelThreads threads, MountView view, Binding binding, CommandRunner programs, Duration patience) {
        this.threads = threads;
        this.view = view;
        this.directories = new Directories(threads);
        this.binds = new DirectoryBinds(threads, view, binding);
        this.devices = new DeviceBinds(threads, view, binding);
        this.filesystems = new FilesystemMounts(threads, view, programs, patience);
    }

    /** Makes a mounter that uses the best calls of this kernel. */
    public static LinuxMounter ofThisKernel(KernelThreads threads, CommandRunner programs, Duration patience) {
        return new LinuxMounter(threads, new MountView(true), Binding.ofThisKernel(), programs, patience);
    }

    @Override
    public Optional<MountEntry> at(Path path, Work work) {
        try {
            return threads.run("looking at " + path, List.of(path), GLANCE, work, _ -> view.at(path));
        } catch (StorageException _) {
            return inTable(path);
        } catch (IOException e) {
            throw KernelThreads.fault("looking at " + path, e);
        }
    }

    private static Optional<MountEntry> inTable(Path path) {
        return MountTable.at(readTable(), path.normalize().toString());
    }

    @Override
    public List<MountEntry> table(Work work) {
        return readTable();
    }

    private static List<MountEntry> readTable() {
        try {
            return MountTable.read();
        } catch (IOException e) {
            throw KernelThreads.fault("reading the mount table", e);
        }
    }

    @Override
    public boolean shows(Path path, DirectoryLookup found, MountEntry mount, Work work) {
        return binds.shows(path, found, mount, work);
    }

    @Override
    public List<MountEntry> showing(Path directory, Work work) {
        return binds.showing(directory, work);
    }

    @Override
    public void bind(Attached.Directory source, Path target, List<String> flags, Work work) {
        binds.bind(source, target, flags, work);
    }

    @Override
    public void bindDevice(Path device, Path target, List<String> flags, Work work) {
        devices.bind(device, target, flags, work);
    }

    @Override
    public void mount(Filesystem filesystem, Path target, Work work) {
        filesystems.mount(filesystem, target, work);
    }

    @Override
    public Optional<Filesystem> mounted(Path target, Work work) {
        return filesystems.mounted(target, at(target, work));
    }

    static String mountedWith(MountEntry entry) {
        return "it is mounted with " + String.join(",", entry.options());
    }

    static StorageException conflict(Path path, String difference) {
        return new StorageException(new Failure.MountConflict(path.toString(), difference));
    }

    @Override
    public void unmount(Path target, Work work) {
        unmount(target, this::unmountOne, work);
        filesystems.forget(target);
    }

    @Override
    public void unmountLazily(Path target, Work work) {
        filesystems.takenAway(target, at(target, work));
        unmount(target, MountCalls::unmountLazily, work);
    }

    private void unmount(Path target, Unmounting call, Work work) {
        String what = "unmounting " + target;
        threads.call(what, target, work, wanting -> {
            for (int layer = 0; takeOff(target, what, call, wanting); layer++) {
                if (layer == MOST_LAYERS) {
                    throw KernelThreads.fault(what, "after " + layer + " mounts there is one more");
                }
            }
            binds.forget(target);
            return true;
        });
    }

    /** Takes one layer off; returns false if there is none. */
    private boolean takeOff(Path target, String what, Unmounting call, Work work) throws IOException {
        Optional<MountEntry> top = view.at(target);
        if (top.isEmpty()) {
            return false;
        }
        work.effect(new Effect("unmount", target.toString()), () -> call.of(target));
        if (view.at(target).equals(top)) {
            throw KernelThreads.fault(what, "the kernel took it off, and the mount table still shows it");
        }
        return true;
    }

    /**
     * Unmounts, and waits a moment for whoever has a file open there: a program that starts, or one that only looks.
     */
    private void unmountOne(Path target) throws LinuxException {
        long began = System.nanoTime();
        Optional<LinuxException> busy = tryUnmount(target);
        while (busy.isPresent()) {
            boolean waited = System.nanoTime() - began > PASSING.toNanos() || !pause();
            if (waited && threads.isAskedInVain(target) && isOnlyMountOfShare(target)) {
                MountCalls.unmountLazily(target); // what holds it is a question of ours to a server that is gone
                return;
            }
            if (waited) {
                throw new StorageException(
                        new Failure.InUse(target.toString(), "a process that works in it or has files of it open"),
                        busy.get());
            }
            busy = tryUnmount(target);
        }
    }

    private boolean isOnlyMountOfShare(Path target) {
        List<MountEntry> table = readTable();
        return MountTable.at(table, target.toString())
                .filter(it -> it.source().contains(":") || it.source().startsWith("//"))
                .filter(it -> table.stream().noneMatch(other -> other.id() != it.id() && it.holds(other)))
                .isPresent();
    }

    /** Returns the kernel's refusal if the mount is in use; empty if nothing is mounted there any more. */
    private static Optional<LinuxException> tryUnmount(Path target) throws LinuxException {
        try {
            MountCalls.unmount(target);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.EINVAL, Errno.ENOENT -> {} // somebody else unmounted it
                case Errno.EBUSY -> {
                    return Optional.of(e);
                }
                default -> throw e;
            }
        }
        return Optional.empty();
    }

    /** Returns false if the thread was interrupted. */
    private static boolean pause() {
        try {
            Backoff.pause(BETWEEN);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void makeDirectory(Path path, Work work) {
        directories.make(path, work);
    }

    @Override
    public void removeDirectory(Path path, Work work) {
        directories.remove(path, work);
    }

    @Override
    public Optional<Silence> silence(Path path, Work work) {
        try {
            return threads.ask("asking " + path, path, GLANCE, work, _ -> asked(path));
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ESTALE ->
                    Optional.of(new Silence(Kind.LOST, "its server does not know it any more (ESTALE)"));
                case Errno.ENOTCONN -> Optional.of(new Silence(Kind.LOST, "its daemon has ended (ENOTCONN)"));
                case Errno.ENOENT, Errno.ENOTDIR -> Optional.empty(); // nothing is mounted there
                case Errno.EACCES, Errno.EPERM -> Optional.empty(); // it answers
                default -> Optional.of(new Silence(Kind.SILENT, String.valueOf(e.getMessage())));
            };
        } catch (StorageException hanging) {
            if (hanging.failure() instanceof Failure.NodeFault) {
                return Optional.of(new Silence(Kind.SILENT, hanging.failure().message()));
            }
            throw hanging;
        } catch (IOException e) {
            throw KernelThreads.fault("asking " + path, e);
        }
    }

    @Override
    public List<MountTrouble> troubles(MountEntry mount, Work work) {
        Path place = Path.of(mount.mountPoint());
        String what = "looking at the state of " + place;
        try {
            return threads.ask(what, place, GLANCE, work, _ -> TroubleQuestion.OF_KERNEL.ask(place, mount.root()));
        } catch (IOException e) {
            throw KernelThreads.fault(what, e);
        }
    }

    @Override
    public boolean isAskedInVain(Path path) {
        return threads.isAskedInVain(path);
    }

    @Override
    public Usage usage(Path path, Work work) {
        MountCalls.Space space = space(path, work);
        return new Usage(
                space.blocks() * space.unit(),
                space.availableBlocks() * space.unit(),
                (space.blocks() - space.freeBlocks()) * space.unit(),
                space.inodes(),
                space.freeInodes(),
                space.inodes() - space.freeInodes());
    }

    private MountCalls.Space space(Path path, Work work) {
        String what = "measuring " + path;
        try {
            return threads.ask(what, path, work, _ -> SpaceQuestion.OF_KERNEL.ask(path));
        } catch (IOException e) {
            throw KernelThreads.fault(what, e);
        }
    }

    /**
     * Asks for the space, and for the root itself: an XFS that was shut down tells the one and refuses the other. A
     * share that is mounted to give up ({@code soft}) refuses both in the same way.
     */
    private static Optional<Silence> asked(Path path) throws LinuxException {
        var _ = SpaceQuestion.OF_KERNEL.ask(path);
        try (FileCalls calls = new FileCalls()) {
            var _ = calls.stat(path);
            return Optional.empty();
        } catch (LinuxException e) {
            if (e.errno() == Errno.EIO) {
                return Optional.of(new Silence(Kind.BROKEN, String.valueOf(e.getMessage())));
            }
            throw e;
        }
    }

    /** Takes one mount off. */
    @FunctionalInterface
    private interface Unmounting {
        void of(Path target) throws LinuxException;
    }
}
