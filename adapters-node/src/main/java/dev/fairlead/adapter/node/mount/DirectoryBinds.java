package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.DirectoryWalk;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds directories. A directory is opened name by name from its root, without following links, and bound by the
 * descriptor that comes of it; so nobody can replace it meanwhile.
 */
final class DirectoryBinds {
    private static final Logger log = LoggerFactory.getLogger(DirectoryBinds.class);

    private final KernelThreads threads;
    private final MountView view;
    private final Binding binding;
    private final MadeBinds made = new MadeBinds();

    DirectoryBinds(KernelThreads threads, MountView view, Binding binding) {
        this.threads = threads;
        this.view = view;
        this.binding = binding;
    }

    void bind(Attached.Directory source, Path target, List<String> flags, Work work) {
        BindFlags wanted = BindFlags.of(flags);
        if (!wanted.passedOver().isEmpty()) {
            log.atDebug()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("flags", wanted.passedOver())
                    .log("mount flags that a bind mount does not know are passed over");
        }
        String what = "binding " + source.path() + " at " + target;
        onThread(what, List.of(source.path(), target), work, wanting -> {
            Sight before = sight(source, target);
            if (before.entry().isPresent()) {
                made.verifyRepeated(shown(before, source, target), target, wanted, work);
                return true;
            }
            wanting.effect(new Effect("bind", target.toString()), () -> bindNow(source, target, wanted, before));
            MountEntry entry = shown(sight(source, target), source, target);
            if (!wanted.inForce(entry.options())) {
                throw LinuxMounter.conflict(
                        target, LinuxMounter.mountedWith(entry) + ", which is not what is asked for");
            }
            made.remember(target, entry, wanted, before.shown().options());
            return true;
        });
    }

    private void bindNow(Attached.Directory source, Path target, BindFlags wanted, Sight before) throws IOException {
        try (PathHandle handle = open(source)) {
            try {
                binding.bind(handle, target, wanted, before.shown().options());
            } catch (LinuxException e) {
                var _ = view.shownBy(handle); // throws if its mount has gone, which is the better reason
                throw e;
            }
        }
    }

    void forget(Path target) {
        made.forget(target);
    }

    boolean shows(Path path, Mounts.DirectoryLookup found, MountEntry mount, Work work) {
        return onThread("looking at " + path, List.of(path), work, _ -> {
            try (PathHandle handle = open(found.find())) {
                return view.shownBy(handle).isAt(mount);
            }
        });
    }

    List<MountEntry> showing(Path directory, Work work) {
        return onThread("looking for mounts of " + directory, List.of(directory), work, _ -> view.showing(directory));
    }

    private Sight sight(Attached.Directory source, Path target) throws IOException {
        try (PathHandle handle = open(source)) {
            return new Sight(view.shownBy(handle), view.at(target));
        }
    }

    /** Opens a directory that was there when it was attached: if it is not, what holds it has been unmounted since. */
    private static PathHandle open(Attached.Directory directory) throws IOException {
        try {
            return DirectoryWalk.open(directory);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                throw new UnmountedException(directory.path() + " is not there any more");
            }
            throw e;
        }
    }

    /** Returns the mount at the target; throws if there is none or it does not show the source. */
    private static MountEntry shown(Sight now, Attached.Directory source, Path target) {
        MountEntry entry = now.entry()
                .orElseThrow(() -> KernelThreads.fault(
                        "binding " + source.path() + " at " + target,
                        "the kernel took it, and the mount table does not show it"));
        if (!now.shown().isAt(entry)) {
            throw LinuxMounter.conflict(
                    target, "it shows " + entry.root() + " of " + entry.source() + ", not " + source.path());
        }
        return entry;
    }

    private <T> T onThread(String what, List<Path> paths, Work work, KernelThreads.Action<T> action) {
        try {
            return threads.run(what, paths, work, action);
        } catch (UnmountedException e) {
            throw new StorageException(
                    new Failure.BackendUnavailable(
                            "of " + paths.getFirst(),
                            "what was mounted on this node, on it or above it, has just been unmounted ("
                                    + e.getMessage() + ")"),
                    e);
        } catch (IOException e) {
            throw KernelThreads.fault(what, e);
        }
    }

    /** Holds what a source shows and the mount at a target. */
    private record Sight(MountView.Shown shown, Optional<MountEntry> entry) {}
}
