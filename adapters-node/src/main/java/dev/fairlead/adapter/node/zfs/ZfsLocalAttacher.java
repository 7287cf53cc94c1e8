package dev.fairlead.adapter.node.zfs;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.share.ShareValues;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Attaches datasets and volumes of the node's own ZFS pools: a dataset is mounted, a volume is a block device. */
final class ZfsLocalAttacher implements Attacher<Attachment.ZfsLocal> {
    private static final String ZFS = "zfs";
    private static final String FS_TYPE = "volume_capability.mount.fs_type";
    private static final int MOST = 255;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.: -]*(/[A-Za-z0-9_.:][A-Za-z0-9_.: -]*)+");

    private final Mounts mounts;
    private final LocalZfs zfs;
    private final ZfsPools pools;
    private final BlockTree blocks;
    private final Path links;

    /** @param links the folder in which every volume of a pool has a link to its device node, by its name */
    ZfsLocalAttacher(Mounts mounts, CommandRunner programs, ZfsPools pools, BlockTree blocks, Path links) {
        this.mounts = mounts;
        this.pools = pools;
        this.zfs = new LocalZfs(programs, pools, links.resolveSibling("zfs"));
        this.blocks = blocks;
        this.links = links;
    }

    @Override
    public Class<Attachment.ZfsLocal> handles() {
        return Attachment.ZfsLocal.class;
    }

    @Override
    public boolean offersBlock() {
        return true;
    }

    @Override
    public boolean reachesManyNodes() {
        return false; // the pool is imported by one node at a time
    }

    /** Returns true for volumes: they need no detaching, but the journal remembers which file system is on them. */
    @Override
    public boolean outlivesMount() {
        return true;
    }

    /**
     * Returns false: ZFS tells Linux of a new size as of another disk in the drive (openzfs/zfs issue 18758), upon
     * which Linux drops what the mounted file system has not written yet, or shuts it down.
     */
    @Override
    public boolean growsMounted() {
        return false;
    }

    @Override
    public void check(Attach<Attachment.ZfsLocal> request) {
        String asset = request.attachment().asset();
        boolean hostile = asset.length() > MOST
                || !NAME.matcher(asset).matches()
                || Stream.of(asset.split("/", -1)).anyMatch(it -> it.equals("..") || it.equals("."));
        if (hostile) {
            throw refused(
                    "volume_context.zfs_asset_name",
                    Excerpt.of(asset) + " (expected: the full name of a dataset or volume below a pool)");
        }
        ShareValues.checkFlags(request);
    }

    @Override
    public Attached attach(Attach<Attachment.ZfsLocal> request, Work work) {
        String asset = request.attachment().asset();
        LocalZfs.Dataset found = zfs.find(asset, work)
                .orElseThrow(() ->
                        new StorageException(new Failure.VolumeNotFound(request.handle() + " (ZFS " + asset + ")")));
        return found.isVolume() ? volume(request) : dataset(request, found, work);
    }

    private Attached volume(Attach<Attachment.ZfsLocal> request) {
        if (request.capability().fsType().equals(ZFS)) {
            throw refused(FS_TYPE, "'zfs' is what a dataset has, and this is a volume (expected: none, ext4, xfs, …)");
        }
        String asset = request.attachment().asset();
        return new Attached.Device(
                device(asset)
                        .orElseThrow(() -> KernelThreads.fault(
                                "attaching " + asset,
                                "it has no device at " + links.resolve(asset) + " yet; udev makes it, unless the"
                                        + " volume's property volmode is none")),
                Map.of("asset", asset, LINK, links.resolve(asset).toString()));
    }

    private Attached dataset(Attach<Attachment.ZfsLocal> request, LocalZfs.Dataset found, Work work) {
        if (request.capability().isBlock()) {
            throw new StorageException(new Failure.Unsupported(
                    "raw block access is not possible for a dataset", "use a claim with volumeMode Filesystem"));
        }
        String type = ShareValues.fsType(request, List.of(ZFS), "a dataset");
        String asset = request.attachment().asset();
        if (!found.isLegacy()) {
            zfs.leaveMounting(asset, work);
        }
        return new Attached.Share(Filesystem.of(type, asset, ShareValues.options(request)));
    }

    /** Returns the device node of a volume; empty if it has none. */
    private Optional<Path> device(String asset) {
        try {
            return Optional.of(links.resolve(asset).toRealPath());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw KernelThreads.fault("looking at " + links.resolve(asset), e);
        }
    }

    @Override
    public List<VolumePath> paths(Attachment.ZfsLocal attachment, Work work) {
        return pools.behind(attachment.asset(), work);
    }

    @Override
    public boolean shows(Attachment.ZfsLocal attachment, MountEntry mount, Work work) {
        if (mount.fsType().equals(ZFS)) {
            return mount.root().equals("/") && mount.source().equals(attachment.asset());
        }
        if (mount.source().equals(links.resolve(attachment.asset()).toString())) {
            return true;
        }
        return blocks.shown(mount)
                .map(blocks::disk)
                .flatMap(shown -> device(attachment.asset()).filter(it -> it.endsWith(shown)))
                .isPresent();
    }

    /**
     * Returns the dataset or volume behind a mount. A dataset that ZFS mounts by itself was not staged as a volume: a
     * directory of the node is bound from there.
     */
    @Override
    public Optional<Attachment.ZfsLocal> recognise(MountEntry mount, Work work) {
        if (mount.fsType().equals(ZFS)) {
            return Optional.of(mount.source())
                    .filter(it -> mount.root().equals("/") && NAME.matcher(it).matches())
                    .filter(it -> zfs.find(it, work)
                            .filter(LocalZfs.Dataset::isLegacy)
                            .isPresent())
                    .map(Attachment.ZfsLocal::new);
        }
        return blocks.shown(mount).map(blocks::disk).flatMap(this::linkedTo);
    }

    private Optional<Attachment.ZfsLocal> linkedTo(String device) {
        if (!Files.isDirectory(links)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.walk(links)) {
            return all.filter(Files::isSymbolicLink)
                    .map(link -> links.relativize(link).toString())
                    .filter(asset ->
                            device(asset).filter(it -> it.endsWith(device)).isPresent())
                    .findFirst()
                    .map(Attachment.ZfsLocal::new);
        } catch (IOException | UncheckedIOException e) {
            throw KernelThreads.fault("looking through " + links, String.valueOf(e.getMessage()));
        }
    }

    /** Leaves out the place at which ZFS has mounted a dataset by itself, as it does when one is made. */
    @Override
    public List<String> mountPoints(Attachment.ZfsLocal attachment, Work work) {
        List<String> all = mounts.table(work).stream()
                .filter(mount -> shows(attachment, mount, work))
                .map(MountEntry::mountPoint)
                .toList();
        if (all.isEmpty()) {
            return all;
        }
        String byItself = zfs.find(attachment.asset(), work)
                .map(LocalZfs.Dataset::mountpoint)
                .orElse("");
        return all.stream().filter(it -> !it.equals(byItself)).toList();
    }

    private static StorageException refused(String field, String why) {
        return new StorageException(new Failure.InvalidRequest(field, why));
    }
}
