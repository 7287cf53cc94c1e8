package dev.fairlead.adapter.local.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stages a directory of this node by a bind mount.
 *
 * <p>The path comes from a PersistentVolume, which others than the operator may write, so it is trusted only below the
 * allowed folders: links above the directory must not lead out of them, the directory itself must not be a link, and it
 * is bound by a descriptor that was opened component by component without following links, so nobody can replace it
 * meanwhile.
 */
final class HostPathAttacher implements Attacher<Attachment.HostPath> {
    private static final String FIELD = "volume_context.path";

    /** The folder in which a store of directories keeps its records. */
    private static final String STATE = ".fairlead";

    private static final Set<String> SHELVES = Set.of("v", "s");

    private final LinuxMounter mounter;
    private final Supplier<List<Path>> roots;

    HostPathAttacher(LinuxMounter mounter, Supplier<List<Path>> roots) {
        this.mounter = mounter;
        this.roots = roots;
    }

    @Override
    public Class<Attachment.HostPath> handles() {
        return Attachment.HostPath.class;
    }

    @Override
    public boolean offersBlock() {
        return false;
    }

    @Override
    public void stage(Stage<Attachment.HostPath> stage, Work work) {
        mounter.bind(source(stage), stage.staging(), stage.mountFlags(), work);
    }

    @Override
    public boolean isStaged(Stage<Attachment.HostPath> stage, Work work) {
        LinuxMounter.Sight sight = mounter.look(source(stage), stage.staging(), work);
        sight.entry().filter(entry -> !sight.shown().isAt(entry)).ifPresent(entry -> {
            throw LinuxMounter.conflict(
                    stage.staging(),
                    "it shows " + entry.root() + " of " + entry.source() + ", not "
                            + stage.attachment().path());
        });
        return sight.entry().isPresent();
    }

    @Override
    public List<String> mountPoints(Attachment.HostPath attachment, Work work) {
        return mounter.showing(Path.of(attachment.path()), work).stream()
                .map(Mounter.MountEntry::mountPoint)
                .toList();
    }

    /**
     * Returns whether a mount may show this volume: a store of directories keeps it at {@code v/<id>}; of any other
     * directory the id is not known here.
     */
    @Override
    public boolean mayShow(NativeId id, Mounter.MountEntry mount) {
        Path root = Path.of(mount.root().replaceFirst("//deleted$", ""));
        boolean ofStore = Optional.ofNullable(root.getParent())
                .map(parent -> parent.endsWith("v"))
                .orElse(false);
        return !ofStore || root.endsWith(id.value());
    }

    private LinuxMounter.Source source(Stage<Attachment.HostPath> stage) {
        Path path = Path.of(stage.attachment().path());
        for (Path name : path) {
            if (name.toString().equals("..") || name.toString().equals(".")) {
                throw refused("'" + path + "' (expected: an absolute path without '.' and '..')");
            }
        }
        List<Path> allowed = List.copyOf(roots.get());
        return new LinuxMounter.Source(path, () -> open(path, allowed, stage.handle()));
    }

    private static PathHandle open(Path path, List<Path> roots, String handle) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw outside(path, roots);
        }
        try {
            Path real = parent.toRealPath().resolve(path.getFileName());
            for (Path root : nearestFirst(path, roots)) {
                Optional<Path> realRoot = realPath(root).filter(it -> isBelow(real, it));
                if (realRoot.isPresent()) {
                    refuseDriversOwn(path, real, realRoot.get());
                    return walk(realRoot.get(), realRoot.get().relativize(real));
                }
            }
        } catch (NoSuchFileException e) {
            throw notFound(path, roots, handle, e);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.ENOENT -> throw notFound(path, roots, handle, e);
                case Errno.ENOTDIR, Errno.ELOOP ->
                    throw refused("'" + path + "' is not a directory (expected: one that is no symbolic link)");
                default -> throw e;
            }
        }
        throw outside(path, roots);
    }

    /** Refuses a store's records, and the folders that hold all its volumes or snapshots. */
    private static void refuseDriversOwn(Path path, Path real, Path root) {
        for (Path name : root.relativize(real)) {
            if (name.toString().equals(STATE)) {
                throw refused("'" + path + "' lies in " + STATE + ", which is the driver's own");
            }
        }
        Path above = Optional.ofNullable(real.getParent()).orElse(root);
        boolean isShelf = SHELVES.contains(String.valueOf(real.getFileName()))
                && (above.equals(root) || Files.exists(above.resolve(STATE), LinkOption.NOFOLLOW_LINKS));
        if (isShelf) {
            throw refused("'" + path + "' holds all volumes or snapshots (expected: one of them)");
        }
    }

    /**
     * Returns the folders that hold the path by its name first, so that another one, which may hang, often need not be
     * looked at.
     */
    private static List<Path> nearestFirst(Path path, List<Path> roots) {
        return roots.stream()
                .sorted(Comparator.comparing((Path root) -> !isBelow(path, root)))
                .toList();
    }

    private static boolean isBelow(Path path, Path root) {
        return path.startsWith(root) && !path.equals(root);
    }

    private static Optional<Path> realPath(Path root) throws IOException {
        try {
            return Optional.of(root.toRealPath());
        } catch (NoSuchFileException _) {
            return Optional.empty(); // a folder that does not exist holds no volume
        }
    }

    private static PathHandle walk(Path root, Path names) throws LinuxException {
        PathHandle at = PathHandle.ofDirectory(root);
        for (Path name : names) {
            try (PathHandle above = at) {
                at = above.child(name.toString());
            }
        }
        return at;
    }

    /**
     * Returns the failure for a path that does not exist; for one outside the allowed folders it does not tell whether
     * it exists.
     */
    private static StorageException notFound(Path path, List<Path> roots, String handle, IOException cause) {
        if (roots.stream().noneMatch(root -> isBelow(path, root))) {
            return outside(path, roots);
        }
        Path shelf = path.getParent();
        return new StorageException(
                shelf == null || Files.isDirectory(shelf)
                        ? new Failure.VolumeNotFound(handle + " (" + path + ")")
                        : new Failure.BackendUnavailable(
                                "of volume " + handle,
                                shelf
                                        + " is not there: what is to be mounted on this node, on it or above it, is"
                                        + " away"),
                cause);
    }

    private static StorageException outside(Path path, List<Path> roots) {
        return refused("'" + path + "' lies below none of the folders that this node may mount from, " + roots
                + "; add its folder to " + NodeSettings.ROOTS_KEY);
    }

    private static StorageException refused(String why) {
        return new StorageException(new Failure.InvalidRequest(FIELD, why));
    }
}
