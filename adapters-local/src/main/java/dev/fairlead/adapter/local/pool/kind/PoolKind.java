package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists the kinds of pool, by the word for them in a connection's file. */
public enum PoolKind {
    /** Volumes are plain folders, and their sizes are advisory. */
    DIRECTORY("directory"),
    /** Volumes are files that nodes attach as block devices; a write past the size fails. */
    IMAGE("image"),
    /** Volumes are subvolumes of btrfs with quotas; a write past the size fails. */
    BTRFS("btrfs"),
    /** Volumes are folders that are projects of XFS with quotas; a write past the size fails. */
    XFS("xfs"),
    /** Volumes are folders that are projects of ext4 with quotas; a write past the size fails. */
    EXT4("ext4"),
    /** Volumes are datasets of ZFS with quotas, which nodes mount; a write past the size fails. */
    ZFS("zfs");

    private final String word;

    PoolKind(String word) {
        this.word = word;
    }

    public static PoolKind parse(String text) {
        return named(text).orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a kind of pool"));
    }

    static Optional<PoolKind> named(String text) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(text)).findFirst();
    }

    public static String words() {
        return Arrays.stream(values()).map(PoolKind::toString).collect(Collectors.joining(" or "));
    }

    /** Returns whether volumes are folders, and not block devices. */
    public boolean hasFolders() {
        return this != IMAGE;
    }

    /** Returns whether sizes are kept by what the file system has to have for it, which may be missing. */
    boolean hasQuotas() {
        return hasProjects() || this == ZFS;
    }

    /** Returns whether sizes are kept by project quotas of the file system that the kind is called by. */
    boolean hasProjects() {
        return this == XFS || this == EXT4;
    }

    /** Returns whether snapshots of several volumes can be taken at one instant. */
    public boolean hasInstant() {
        return this == ZFS;
    }

    /** Returns the form of the folders of a pool of this kind. */
    FolderForm form(BaseFolderLayout layout, ImageUse images, ProjectNumbers projects, Datasets datasets) {
        return switch (this) {
            case DIRECTORY -> FolderForm.PLAIN;
            case IMAGE -> new ImageForm(images, layout.partial());
            case BTRFS -> new BtrfsForm(layout.state());
            case XFS, EXT4 -> new ProjectForm(word, layout.state(), projects);
            case ZFS -> new ZfsForm(layout, datasets);
        };
    }

    /** Begins to look at what volumes and snapshots of a pool of this kind occupy. */
    Occupancy occupancy(BaseFolderLayout layout, ProjectNumbers projects, Datasets datasets) {
        return switch (this) {
            case DIRECTORY -> Occupancy.UNKNOWN;
            case IMAGE -> new ImageOccupancy();
            case BTRFS -> new BtrfsOccupancy();
            case XFS, EXT4 -> new ProjectOccupancy(word, projects);
            case ZFS -> new ZfsOccupancy(layout, datasets);
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
