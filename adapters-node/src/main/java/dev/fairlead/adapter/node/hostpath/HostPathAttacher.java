package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.adapter.node.kernel.DirectoryWalk;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.BaseMark;
import dev.fairlead.domain.base.VolumeBase;
import dev.fairlead.domain.base.VolumeBases;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Attaches a directory of this node, which is to be bound.
 *
 * <p>The path comes from a PersistentVolume, which others than the operator may write, so it is trusted only below the
 * allowed folders: links above the directory must not lead out of them, the directory itself must not be a link, and it
 * is bound by a descriptor that is opened name by name without following links, so nobody can replace it meanwhile.
 */
public final class HostPathAttacher implements Attacher<Attachment.HostPath> {
    /** The key of the main file under which an operator names further folders. */
    private static final String ROOTS_KEY = "fairlead.node.hostPathRoots";

    private static final String FIELD = "volume_context.path";

    /** The folder in which a store of directories keeps its records. */
    private static final String STATE = BaseMark.FOLDER;

    private static final Set<String> VOLUME_AND_SNAPSHOT_FOLDERS = Set.of("v", "s");

    private final Mounts mounts;
    private final KernelThreads threads;
    private final Supplier<List<Path>> roots;
    private final VolumeBases bases;

    /**
     * @param roots the folders below which it attaches anything
     * @param bases tells in which base folder a volume has to be
     */
    public HostPathAttacher(Mounts mounts, KernelThreads threads, Supplier<List<Path>> roots, VolumeBases bases) {
        this.mounts = mounts;
        this.threads = threads;
        this.roots = roots;
        this.bases = bases;
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
    public boolean outlivesMount() {
        return false;
    }

    @Override
    public void check(Attach<Attachment.HostPath> request) {
        for (Path name : Path.of(request.attachment().path())) {
            if (name.toString().equals("..") || name.toString().equals(".")) {
                throw refused(
                        "'" + request.attachment().path() + "' (expected: an absolute path without '.' and '..')");
            }
        }
    }

    @Override
    public Attached attach(Attach<Attachment.HostPath> request, Work work) {
        Path path = Path.of(request.attachment().path());
        Optional<VolumeBase> base = bases.of(request.handle(), request.context(), path.toString());
        List<Path> allowed = List.copyOf(roots.get());
        return threads.call("looking at " + path, path, work, _ -> find(path, allowed, request.handle(), base));
    }

    @Override
    public boolean shows(Attachment.HostPath attachment, Mounter.MountEntry mount, Work work) {
        Path path = Path.of(attachment.path());
        List<Path> allowed = List.copyOf(roots.get());
        return mounts.shows(path, () -> find(path, allowed, path.toString(), Optional.empty()), mount, work);
    }

    @Override
    public List<String> mountPoints(Attachment.HostPath attachment, Work work) {
        return mounts.showing(Path.of(attachment.path()), work).stream()
                .map(Mounter.MountEntry::mountPoint)
                .toList();
    }

    /**
     * Returns whether a mount may show this volume: a store of directories keeps it at {@code v/<id>}; of any other
     * directory the id is not known here. An id of a pool begins with the pool's name and a slash.
     */
    @Override
    public boolean mayShow(NativeId id, Mounter.MountEntry mount) {
        Path root = Path.of(mount.root().replaceFirst("//deleted$", ""));
        boolean ofStore = Optional.ofNullable(root.getParent())
                .map(parent -> parent.endsWith("v"))
                .orElse(false);
        return !ofStore || root.endsWith(id.value().substring(id.value().lastIndexOf('/') + 1));
    }

    private static Attached.Directory find(Path path, List<Path> roots, String handle, Optional<VolumeBase> base)
            throws IOException {
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
                    return walked(realRoot.get(), realRoot.get().relativize(real), base);
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
        boolean holdsAll = VOLUME_AND_SNAPSHOT_FOLDERS.contains(String.valueOf(real.getFileName()))
                && (above.equals(root) || Files.exists(above.resolve(STATE), LinkOption.NOFOLLOW_LINKS));
        if (holdsAll) {
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

    /**
     * Walks to a directory without following links, so that a failure is told before anything is mounted. If it has to
     * be in one base folder, no other file system than the one that was looked at is bound in its place.
     */
    private static Attached.Directory walked(Path root, Path names, Optional<VolumeBase> base) throws IOException {
        Path parent = Optional.ofNullable(names.getParent()).orElse(Path.of(""));
        try (PathHandle above = DirectoryWalk.open(root, parent)) {
            base.ifPresent(its -> BaseCheck.check(above, its, root.resolve(names)));
            try (PathHandle directory = above.child(String.valueOf(names.getFileName()))) {
                return base.isPresent()
                        ? new Attached.Directory(root, names, OptionalLong.of(DirectoryWalk.filesystem(directory)))
                        : new Attached.Directory(root, names);
            }
        }
    }

    /**
     * Returns the failure for a path that does not exist; for one outside the allowed folders it does not tell whether
     * it exists.
     */
    private static StorageException notFound(Path path, List<Path> roots, String handle, IOException cause) {
        if (roots.stream().noneMatch(root -> isBelow(path, root))) {
            return outside(path, roots);
        }
        Path parent = path.getParent();
        return new StorageException(
                parent == null || Files.isDirectory(parent)
                        ? new Failure.VolumeNotFound(handle + " (" + path + ")")
                        : new Failure.BackendUnavailable(
                                "of volume " + handle,
                                parent
                                        + " is not there: what is to be mounted on this node, on it or above it, is"
                                        + " away"),
                cause);
    }

    private static StorageException outside(Path path, List<Path> roots) {
        return refused("'" + path + "' lies below none of the folders that this node may mount from, " + roots
                + "; add its folder to " + ROOTS_KEY);
    }

    private static StorageException refused(String why) {
        return new StorageException(new Failure.InvalidRequest(FIELD, why));
    }
}
