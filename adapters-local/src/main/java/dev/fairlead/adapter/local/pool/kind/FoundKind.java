package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.directory.tree.FreeSpace;
import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.linux.BtrfsCalls;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Knows the kind of a pool: the one that is written, else the one that its mark says, else the one that its file system
 * can be. As long as there is no mark it is looked for anew, since disks are mounted later.
 */
public final class FoundKind implements Supplier<PoolKind> {
    /** The key of a pool's kind, in its mark and in the connection's file. */
    public static final String KEY = "kind";

    private final Optional<PoolKind> written;
    private final BaseFolderLayout layout;
    private final DirectoryFailures failures;
    private final ProjectNumbers projects;
    private final Datasets datasets;
    private volatile KindMark last = new KindMark("", PoolKind.DIRECTORY);

    /** Tells what the folders of a pool without a mark were when only plain folders were found there. */
    private volatile String plain = "";

    /** @param written what the connection's file says */
    public FoundKind(
            Optional<PoolKind> written,
            BaseFolderLayout layout,
            DirectoryFailures failures,
            Projects projects,
            Datasets datasets) {
        this.written = written;
        this.layout = layout;
        this.failures = failures;
        this.projects = new ProjectNumbers(projects, layout);
        this.datasets = datasets;
    }

    /** @param version tells one mark from another */
    private record KindMark(String version, PoolKind kind) {}

    /** Returns the kind that is written; empty if it is to be found. */
    public Optional<PoolKind> written() {
        return written;
    }

    /** Returns the form of the folders of the pool. */
    public FolderForm form(ImageUse images) {
        return new FoundForm(this, layout, images, projects, datasets);
    }

    /** Begins to look at what volumes and snapshots of the pool occupy. */
    public Occupancy occupancy() {
        return get().occupancy(layout, projects, datasets);
    }

    /**
     * Returns the space of the pool's file system. That of ZFS counts what is below a dataset as nobody's.
     *
     * @param folder the pool's folder, or the nearest one above it
     */
    public DiskSpace space(Path folder) throws IOException {
        if (get() == PoolKind.ZFS) {
            String parent = DatasetFolders.parent(folder, datasets);
            return datasets.find(parent)
                    .map(it -> new DiskSpace(it.used() + it.available(), it.available(), it.used()))
                    .orElseThrow(() -> new IOException("zfs knows no dataset " + parent));
        }
        File disk = folder.toFile();
        // Not what is kept for the administrator or for metadata: that is neither free nor used by volumes.
        long occupied = Math.max(0, disk.getTotalSpace() - disk.getFreeSpace());
        return new DiskSpace(disk.getTotalSpace(), FreeSpace.of(folder), occupied);
    }

    /** Holds the bytes of a file system: all, those that can still be written, and those that are. */
    public record DiskSpace(long total, long free, long occupied) {}

    @Override
    public PoolKind get() {
        return written.isPresent()
                ? written.get()
                : failures.during("looking for the kind of " + layout.base(), () -> {
                    Optional<PoolKind> marked = marked();
                    return marked.isPresent() ? marked.get() : looked();
                });
    }

    /** Returns the kind of a pool that has a mark; one from before marks said it was of folders if it said nothing. */
    private Optional<PoolKind> marked() throws IOException {
        Optional<String> version = version(layout.owner());
        KindMark before = last;
        if (version.isEmpty() || before.version().equals(version.get())) {
            return version.map(_ -> before.kind());
        }
        Optional<PoolKind> kind = Records.read(layout.owner())
                .map(fields -> PoolKind.named(fields.getOrDefault(KEY, "")).orElse(PoolKind.DIRECTORY));
        kind.ifPresent(it -> last = new KindMark(version.get(), it));
        return kind;
    }

    private static Optional<String> version(Path path) throws IOException {
        return RecordedFolders.stat(path)
                .map(file -> file.fileKey() + " " + file.lastModifiedTime() + " " + file.size());
    }

    /**
     * Returns what a pool without a mark becomes: what is in it already is plain folders. One that has volumes of
     * another kind has lost its mark, and is refused.
     */
    private PoolKind looked() throws IOException {
        String now = version(layout.volumes().folder()).orElse("")
                + version(layout.snapshots().folder()).orElse("");
        if (!now.isEmpty() && now.equals(plain)) {
            return PoolKind.DIRECTORY; // asked for each volume of a list
        }
        List<String> volumes = layout.volumes().ids();
        for (String id : volumes) {
            refuseUnmarked(layout.volumes().place(id));
        }
        if (!volumes.isEmpty() || !layout.snapshots().ids().isEmpty()) {
            plain = now;
            return PoolKind.DIRECTORY;
        }
        Path at = layout.base();
        while (!Files.isDirectory(at) && at.getParent() != null) {
            at = at.getParent();
        }
        Path real = at.toRealPath();
        Optional<PoolKind> kind = QuotaReason.candidate(real, projects.projects(), datasets);
        return kind.isPresent()
                        && QuotaReason.unfit(kind.get(), real, projects.projects(), datasets)
                                .isEmpty()
                ? kind.get()
                : PoolKind.IMAGE;
    }

    private void refuseUnmarked(Path volume) throws IOException {
        Optional<PoolKind> kind = Optional.empty();
        if (Files.isRegularFile(ImageForm.image(volume), LinkOption.NOFOLLOW_LINKS)) {
            kind = Optional.of(PoolKind.IMAGE);
        } else if (VolumeDataset.in(volume).isPresent()) {
            kind = Optional.of(PoolKind.ZFS);
        } else if (Files.isDirectory(volume, LinkOption.NOFOLLOW_LINKS)
                && BtrfsCalls.subvolume(volume).isPresent()) {
            kind = Optional.of(PoolKind.BTRFS);
        } else if (projects.recordedOf(volume).isPresent()) {
            kind = QuotaReason.candidate(volume, projects.projects(), datasets);
        }
        if (kind.isPresent()) {
            throw failures.unavailable(layout.base() + " has no mark, and " + volume + " looks like a volume of kind "
                    + kind.get() + "; write kind: " + kind.get() + " in the pool's list if it is, and else kind: "
                    + PoolKind.DIRECTORY);
        }
    }

    /**
     * Returns why the sizes of the pool's volumes do not hold now; empty if they do, or are no quotas that can be off.
     *
     * @throws IOException if that cannot be told
     */
    public Optional<String> unheld() throws IOException {
        PoolKind kind = get();
        Path place = layout.base().toRealPath();
        if (kind == PoolKind.BTRFS) {
            return switch (BtrfsOccupancy.state(place)) {
                case OFF -> Optional.of("the quotas of its btrfs are off; enable them with btrfs quota enable");
                case SIMPLE ->
                    Optional.of("the quotas of its btrfs are simple ones; disable them, and enable them"
                            + " without --simple");
                case ON, INCONSISTENT -> Optional.empty();
            };
        }
        return kind.hasProjects()
                ? ProjectOccupancy.lacked(place, projects.projects())
                        .map(why -> why + "; " + ProjectOccupancy.remedy(kind.toString()))
                : Optional.empty();
    }

    /** Returns what the operator is told of quotas that keep no sizes; empty if there is nothing to tell. */
    public Optional<QuotaReason> whyNoQuota() {
        try {
            return Files.isDirectory(layout.base())
                    ? QuotaReason.of(
                            written.isPresent() ? written : marked(),
                            layout.base().toRealPath(),
                            projects.projects(),
                            datasets)
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // which the first call tells
        }
    }
}
