package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.MissingProgramException;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says why quotas of a pool's file system keep no sizes, for the operator.
 *
 * @param what what that means for the pool
 * @param remedy what to do
 */
public record QuotaReason(String what, String remedy) {
    /** Returns the kind that a folder's file system can have by quotas of its own; empty if it can have none. */
    static Optional<PoolKind> candidate(Path folder, Projects projects, Datasets datasets) throws IOException {
        if (datasets.of(folder).isPresent()) {
            return Optional.of(PoolKind.ZFS);
        }
        return BtrfsCalls.isBtrfs(folder)
                ? Optional.of(PoolKind.BTRFS)
                : PoolKind.named(projects.filesystem(folder)).filter(PoolKind::hasProjects);
    }

    /** Returns why the quotas of a folder's file system keep no sizes now; empty if they do. */
    static Optional<String> unfit(PoolKind kind, Path folder, Projects projects, Datasets datasets) throws IOException {
        return switch (kind) {
            case BTRFS -> unfitBtrfs(folder);
            case ZFS -> unfitZfs(folder, datasets);
            default -> ProjectOccupancy.lacked(folder, projects);
        };
    }

    private static Optional<String> unfitZfs(Path folder, Datasets datasets) throws IOException {
        String dataset = DatasetFolders.parent(folder, datasets);
        try {
            return datasets.find(dataset).isPresent()
                    ? Optional.empty()
                    : Optional.of("the program zfs knows no dataset " + dataset);
        } catch (
                MissingProgramException e) { // other failures do not last, and may not decide what the pool is for good
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> unfitBtrfs(Path folder) throws IOException {
        try {
            return BtrfsQuotas.state(folder) == BtrfsQuotas.State.SIMPLE
                    ? Optional.of("its quotas are simple ones")
                    : Optional.empty();
        } catch (LinuxException e) {
            if (e.errno() != Errno.EPERM) {
                throw e; // what does not last may not decide what the pool is for good
            }
            return Optional.of("its quotas cannot be read: " + e.getMessage());
        }
    }

    /**
     * Returns what is to be told of a pool: what kind it is of instead, or that nothing is made in it.
     *
     * @param wanted the kind that is written or marked; empty if it is to be found
     */
    static Optional<QuotaReason> of(Optional<PoolKind> wanted, Path folder, Projects projects, Datasets datasets)
            throws IOException {
        Optional<PoolKind> candidate = candidate(folder, projects, datasets);
        if (wanted.isPresent()) {
            return wanted.get().hasQuotas()
                    ? refused(wanted.get(), candidate, folder, projects, datasets)
                    : Optional.empty();
        }
        if (candidate.isEmpty()) {
            return Optional.empty();
        }
        PoolKind kind = candidate.get();
        return unfit(kind, folder, projects, datasets)
                .map(why -> new QuotaReason(
                        "lies on " + kind + " and is of kind " + PoolKind.IMAGE + ", since " + why,
                        remedy(kind) + "; or write kind: " + PoolKind.IMAGE));
    }

    private static Optional<QuotaReason> refused(
            PoolKind kind, Optional<PoolKind> candidate, Path folder, Projects projects, Datasets datasets)
            throws IOException {
        String nothing = "is of kind " + kind + ", and no volume is made or grows in it, since ";
        if (candidate.filter(kind::equals).isEmpty()) {
            return Optional.of(new QuotaReason(nothing + "it lies on no " + kind, "mount its disk"));
        }
        return unfit(kind, folder, projects, datasets).map(why -> new QuotaReason(nothing + why, remedy(kind)));
    }

    private static String remedy(PoolKind kind) {
        return switch (kind) {
            case BTRFS -> "have quotas there that count all that a subvolume refers to (btrfs quota enable)";
            case ZFS -> "have the host's zfs, of its kernel module's version, and let this process run it";
            default -> ProjectOccupancy.remedy(kind.toString());
        };
    }
}
