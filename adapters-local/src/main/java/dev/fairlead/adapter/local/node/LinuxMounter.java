package dev.fairlead.adapter.local.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and removes the mounts of this Linux node by system calls. */
final class LinuxMounter implements Mounter {
    private static final Logger LOG = LoggerFactory.getLogger(LinuxMounter.class);

    /**
     * The time after which, instead of the path, the mount table is asked what is mounted there, since it never hangs.
     */
    private static final Duration GLANCE = Duration.ofSeconds(2);

    /** The most mounts taken off one path, more than anybody stacks by mistake. */
    private static final int MOST_LAYERS = 1000;

    private final KernelThreads threads;
    private final MountView view;
    private final Binding binding;
    private final Directories directories;
    private final MadeBinds made = new MadeBinds();

    LinuxMounter(KernelThreads threads, MountView view, Binding binding) {
        this.threads = threads;
        this.view = view;
        this.binding = binding;
        this.directories = new Directories(threads);
    }

    @Override
    public Optional<MountEntry> at(Path path, Work work) {
        try {
            return threads.run("looking at " + path, List.of(path), GLANCE, work, _ -> view.at(path));
        } catch (StorageException _) {
            return inTable(path);
        } catch (IOException e) {
            throw fault("looking at " + path, e);
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
            throw fault("reading the mount table", e);
        }
    }

    @Override
    public void bind(Path source, Path target, List<String> flags, Work work) {
        bind(new Source(source, () -> PathHandle.ofDirectory(source)), target, flags, work);
    }

    /** Binds a directory that its source opens. */
    void bind(Source source, Path target, List<String> flags, Work work) {
        BindFlags wanted = BindFlags.of(flags);
        if (!wanted.passedOver().isEmpty()) {
            LOG.atDebug()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("flags", wanted.passedOver())
                    .log("mount flags that a bind mount does not know are passed over");
        }
        onThread("binding " + source.path() + " at " + target, source, target, work, wanting -> {
            Sight before = sight(source, target);
            if (before.entry().isPresent()) {
                made.verifyRepeated(shown(before, source, target), target, wanted, work);
                return true;
            }
            wanting.effect(new Effect("bind", target.toString()), () -> bindNow(source, target, wanted, before));
            MountEntry entry = shown(sight(source, target), source, target);
            if (!wanted.inForce(entry.options())) {
                throw conflict(target, mountedWith(entry) + ", which is not what is asked for");
            }
            made.remember(target, entry, wanted, before.shown().options());
            return true;
        });
    }

    private void bindNow(Source source, Path target, BindFlags wanted, Sight before) throws IOException {
        try (PathHandle handle = source.opening().open()) {
            binding.bind(handle, target, wanted, before.shown().options());
        }
    }

    /** Returns what the source shows and what is mounted at the target. */
    Sight look(Source source, Path target, Work work) {
        return onThread(
                "looking at " + source.path() + " and " + target, source, target, work, _ -> sight(source, target));
    }

    /**
     * Returns every mount that shows a directory or a part of it, except the one in which the directory itself lies;
     * none if it does not exist. None of these mounts is touched, so dead ones do not hang this.
     */
    List<MountEntry> showing(Path directory, Work work) {
        String what = "looking for mounts of " + directory;
        try {
            return threads.run(what, List.of(directory), work, _ -> view.showing(directory));
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    private Sight sight(Source source, Path target) throws IOException {
        try (PathHandle handle = source.opening().open()) {
            return new Sight(view.shownBy(handle), view.at(target));
        }
    }

    /** Returns the mount at the target; throws if there is none or it does not show the source. */
    private static MountEntry shown(Sight now, Source source, Path target) {
        MountEntry entry = now.entry()
                .orElseThrow(() -> KernelThreads.fault(
                        "binding " + source.path() + " at " + target,
                        "the kernel took it, and the mount table does not show it"));
        if (!now.shown().isAt(entry)) {
            throw conflict(target, "it shows " + entry.root() + " of " + entry.source() + ", not " + source.path());
        }
        return entry;
    }

    static String mountedWith(MountEntry entry) {
        return "it is mounted with " + String.join(",", entry.options());
    }

    static StorageException conflict(Path path, String difference) {
        return new StorageException(new Failure.MountConflict(path.toString(), difference));
    }

    private <T> T onThread(String what, Source source, Path target, Work work, KernelThreads.Action<T> action) {
        try {
            return threads.run(what, List.of(source.path(), target), work, action);
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    @Override
    public void unmount(Path target, Work work) {
        String what = "unmounting " + target;
        try {
            threads.run(what, List.of(target), work, wanting -> {
                for (int layer = 0; takeOff(target, what, wanting); layer++) {
                    if (layer == MOST_LAYERS) {
                        throw KernelThreads.fault(what, "after " + layer + " mounts there is one more");
                    }
                }
                made.forget(target);
                return true;
            });
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    /** Takes one layer off; returns false if there is none. */
    private boolean takeOff(Path target, String what, Work work) throws IOException {
        Optional<MountEntry> top = view.at(target);
        if (top.isEmpty()) {
            return false;
        }
        work.effect(new Effect("unmount", target.toString()), () -> unmountOne(target));
        if (view.at(target).equals(top)) {
            throw KernelThreads.fault(what, "the kernel took it off, and the mount table still shows it");
        }
        return true;
    }

    private static void unmountOne(Path target) throws LinuxException {
        try {
            MountCalls.unmount(target);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.EINVAL, Errno.ENOENT -> {} // somebody else unmounted it
                case Errno.EBUSY ->
                    throw new StorageException(
                            new Failure.InUse(target.toString(), "a process that works in it or has files of it open"),
                            e);
                default -> throw e;
            }
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
    public Usage usage(Path path, Work work) {
        String what = "measuring " + path;
        try {
            MountCalls.Space space = threads.run(what, List.of(path), work, _ -> {
                try (PathHandle place = PathHandle.of(path)) {
                    return MountCalls.space(place);
                }
            });
            return new Usage(
                    space.blocks() * space.unit(),
                    space.availableBlocks() * space.unit(),
                    (space.blocks() - space.freeBlocks()) * space.unit(),
                    space.inodes(),
                    space.freeInodes(),
                    space.inodes() - space.freeInodes());
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    static StorageException fault(String what, IOException e) {
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new StorageException(new Failure.NodeFault(what, detail), e);
    }

    /** Opens the directory that is to be bound. */
    @FunctionalInterface
    interface Opening {
        PathHandle open() throws IOException;
    }

    /** Names a directory to bind and opens it. */
    record Source(Path path, Opening opening) {}

    /** Holds what a source shows and the mount at a target. */
    record Sight(MountView.Shown shown, Optional<MountEntry> entry) {}
}
