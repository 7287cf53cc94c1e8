package dev.fairlead.adapter.node.pool;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.kernel.DirectoryWalk;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.linux.PathHandle;
import dev.fairlead.linux.loop.LoopFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attaches images of the node's own pools, each as a loop device.
 *
 * <p>A path is trusted as little as that of a directory: it must lie below the allowed folders, and no link on the way
 * is followed. An image is found by its number, not by its name, so that it never has two devices.
 */
final class LocalPoolAttacher implements Attacher<Attachment.LocalPool> {
    /** The name of every image, below the folder of its volume. */
    static final String IMAGE = "disk.img";

    /** The fact that names the image's file by its numbers. */
    private static final String FILE = "file";

    /** The wait for programs that open each block device for a moment, such as those of udev, or losetup. */
    private static final KernelWait CLOSING = new KernelWait(Duration.ofSeconds(3));

    private final Mounts mounts;
    private final KernelThreads threads;
    private final HostPathAttacher directories;
    private final LoopDevices loops;
    private final BlockTree blocks;

    /** Says where a pool has its images; a disk of a pool that is itself a file of that name lies elsewhere. */
    private static final Pattern PLACE = Pattern.compile("/(.*/)?v/[A-Za-z0-9][A-Za-z0-9_-]*/" + Pattern.quote(IMAGE));

    LocalPoolAttacher(
            Mounts mounts, KernelThreads threads, HostPathAttacher directories, LoopDevices loops, BlockTree blocks) {
        this.mounts = mounts;
        this.threads = threads;
        this.directories = directories;
        this.loops = loops;
        this.blocks = blocks;
    }

    @Override
    public Class<Attachment.LocalPool> handles() {
        return Attachment.LocalPool.class;
    }

    @Override
    public boolean offersBlock() {
        return true;
    }

    @Override
    public boolean reachesManyNodes() {
        return false; // the file is on this node's disk
    }

    /** Returns true: a loop device stays until it is let go of. */
    @Override
    public boolean outlivesMount() {
        return true;
    }

    @Override
    public void check(Attach<Attachment.LocalPool> request) {
        if (!Path.of(request.attachment().path()).endsWith(IMAGE)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_context.path", "'" + request.attachment().path() + "' (expected: a file " + IMAGE + ")"));
        }
        directories.check(folder(request));
    }

    /** Returns the same request for the folder that the image is in. */
    private static Attach<Attachment.HostPath> folder(Attach<Attachment.LocalPool> request) {
        Path folder = Path.of(request.attachment().path()).getParent();
        return new Attach<>(
                request.handle(),
                new Attachment.HostPath(String.valueOf(folder)),
                request.capability(),
                request.context(),
                request.publishContext(),
                request.secrets());
    }

    @Override
    public Attached attach(Attach<Attachment.LocalPool> request, Work work) {
        Attached found = directories.attach(folder(request), work);
        if (!(found instanceof Attached.Directory folder)) {
            throw new IllegalStateException("a directory is attached as " + found);
        }
        String path = request.attachment().path();
        AtomicReference<@Nullable LoopFile> file = new AtomicReference<>();
        work.effect(new Effect("loop-attach", path), () -> {
            // calls for one path wait for each other, since two at once could make two devices of one image
            file.set(threads.call(
                    "attaching " + path, Path.of(path), work, _ -> attach(folder, path, request.handle())));
        });
        LoopFile attached = Objects.requireNonNull(file.get());
        Path device = threads.call("looking for the device of " + path, Path.of(path), work, _ -> loops.of(attached))
                .orElseThrow(() -> KernelThreads.fault("attaching " + path, "it was given a loop device and has none"));
        return new Attached.Device(device, Map.of("image", path, FILE, attached.toString()));
    }

    /** Gives an image a loop device; returns its numbers, by which it is found wherever its disk is mounted later. */
    private LoopFile attach(Attached.Directory folder, String shown, String handle) throws IOException {
        try (PathHandle held = DirectoryWalk.open(folder);
                FileChannel image = FileChannel.open(
                        held.self().resolve(IMAGE),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS)) {
            // Another process of this node, which is being replaced by this one, may be at the same.
            try (FileLock lock = image.tryLock()) {
                if (lock == null) {
                    throw KernelThreads.fault("attaching " + shown, "another process attaches it; try again");
                }
                Path opened = held.self().resolve(IMAGE);
                Path device = loops.attach(opened, shown);
                return loops.file(opened)
                        .orElseThrow(() -> KernelThreads.fault("attaching " + shown, "it is gone; it was " + device));
            }
        } catch (NoSuchFileException e) {
            throw new StorageException(new Failure.VolumeNotFound(handle + " (" + shown + ")"), e);
        }
    }

    /**
     * Returns the device of an image. Another disk may be mounted at its path by now: then it is the device of the file
     * that was attached, if it has the name of this image.
     */
    private Optional<Path> device(Attachment.LocalPool attachment, Map<String, String> facts, Work work) {
        Path image = Path.of(attachment.path());
        return threads.call("looking for the device of " + image, image, work, _ -> {
            Optional<LoopFile> file = attachedFile(attachment, facts);
            return file.isPresent() ? loops.of(file.get()) : Optional.empty();
        });
    }

    /**
     * Returns the file of an image that has a device. The numbers of an earlier attaching may be of no file any more,
     * as after a restart of the node: then it is the file at the path, if its device has the name of this image.
     */
    private Optional<LoopFile> attachedFile(Attachment.LocalPool attachment, Map<String, String> facts)
            throws IOException {
        Optional<LoopFile> known = attached(facts);
        Optional<LoopFile> present = loops.file(Path.of(attachment.path()));
        if (known.isEmpty() || known.equals(present)) {
            return present;
        }
        for (LoopFile file : Stream.concat(known.stream(), present.stream()).toList()) {
            if (loops.of(file, attachment.path()).isPresent()) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** Returns the file that was attached; empty if an earlier version attached it, or attaching was not finished. */
    private static Optional<LoopFile> attached(Map<String, String> facts) {
        return LoopFile.read(facts.getOrDefault(FILE, ""));
    }

    @Override
    public void detach(Attachment.LocalPool attachment, Map<String, String> facts, Work work) {
        Optional<Path> device = device(attachment, facts, work);
        if (device.isEmpty()) {
            return;
        }
        refuseIfUsed(device.get(), work);
        Path image = Path.of(attachment.path());
        work.effect(
                new Effect("loop-detach", attachment.path()),
                () -> threads.call("detaching " + image, image, work, _ -> {
                    Optional<LoopFile> file = attachedFile(attachment, facts);
                    if (file.isPresent()) {
                        loops.detach(file.get());
                    }
                    return image;
                }));
        if (!CLOSING.until(() -> device(attachment, facts, work).isEmpty(), work)) {
            throw KernelThreads.fault(
                    "detaching " + image,
                    "its loop device is let go of once whatever has it open closes it (losetup -j " + image + ")");
        }
    }

    /** Refuses to let go of a device that is used: another disk may hide from its path that it is mounted. */
    private void refuseIfUsed(Path device, Work work) {
        List<String> names = List.of(String.valueOf(device.getFileName()));
        // what was unmounted a moment ago may still be held by the kernel, or by a copy of the mount table
        if (!CLOSING.until(() -> user(names, work).isEmpty(), work)) {
            user(names, work).ifPresent(it -> {
                throw new StorageException(new Failure.InUse(device.toString(), it, "take that away first"));
            });
        }
    }

    private Optional<String> user(List<String> names, Work work) {
        return mounts.table(work).stream()
                .filter(mount -> blocks.shows(names, mount))
                .map(mount -> "the mount at " + mount.mountPoint())
                .findFirst()
                .or(() -> new BlockUse(blocks, threads, Path.of("/dev")).user(names, work));
    }

    @Override
    public void rescan(Attachment.LocalPool attachment, Work work) {
        Path image = Path.of(attachment.path());
        work.effect(
                new Effect("loop-size", attachment.path()),
                () -> threads.call("reading the size of " + image, image, work, _ -> {
                    loops.resize(image);
                    return image;
                }));
    }

    @Override
    public boolean shows(Attachment.LocalPool attachment, MountEntry mount, Work work) {
        return shown(attachment, Map.of(), mount, work);
    }

    /** Counts the file that was attached and the one at its path, so that neither is taken for unused. */
    @Override
    public boolean shows(Attachment.LocalPool attachment, Map<String, String> facts, MountEntry mount, Work work) {
        return shown(attachment, facts, mount, work) || shown(attachment, Map.of(), mount, work);
    }

    private boolean shown(Attachment.LocalPool attachment, Map<String, String> facts, MountEntry mount, Work work) {
        return blocks.shown(mount).isPresent()
                && device(attachment, facts, work)
                        .map(device -> List.of(String.valueOf(device.getFileName())))
                        .filter(devices -> blocks.shows(devices, mount))
                        .isPresent();
    }

    /** Returns the image behind a loop device that is mounted, by the name that the kernel has for it. */
    @Override
    public Optional<Attachment.LocalPool> recognise(MountEntry mount, Work work) {
        return blocks.shown(mount)
                .map(blocks::disk)
                .map(device -> blocks.fact(device, "loop/backing_file"))
                .filter(path -> PLACE.matcher(path).matches())
                .map(Attachment.LocalPool::new);
    }

    @Override
    public Optional<String> removed(MountEntry mount, Work work) {
        return blocks.shown(mount)
                .map(blocks::disk)
                .map(device -> blocks.fact(device, "loop/backing_file"))
                .filter(path -> path.endsWith(" (deleted)"))
                .map(path -> "its image " + path);
    }

    @Override
    public List<String> mountPoints(Attachment.LocalPool attachment, Work work) {
        return mounts.table(work).stream()
                .filter(mount -> shows(attachment, mount, work))
                .map(MountEntry::mountPoint)
                .toList();
    }
}
