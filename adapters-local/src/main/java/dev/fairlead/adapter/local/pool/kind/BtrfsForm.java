package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Describes folders that are subvolumes of btrfs, whose quotas keep their sizes. Snapshots and clones are made at one
 * instant, in use or not.
 *
 * <p>The number of a subvolume is that of its quota, and btrfs gives no number twice. A subvolume that somebody makes
 * below a volume is counted apart and has no limit; a volume with such is copied file by file, since in its snapshot an
 * empty folder would be in that place.
 */
final class BtrfsForm implements FolderForm {
    private final Path place;

    /** @param place a folder of the pool, which is no symbolic link */
    BtrfsForm(Path place) {
        this.place = place;
    }

    @Override
    public Capacity size(CapacityRange range) {
        return SizeRules.of("btrfs").choose(range);
    }

    @Override
    public void make(Path folder, Work work) throws IOException {
        prepareQuotas(work);
        work.effect(
                new Effect("subvolume", folder.toString()),
                () -> BtrfsCalls.makeSubvolume(parent(folder), name(folder)));
    }

    @Override
    public boolean copy(Path source, Path folder, Work work) throws IOException {
        if (!isWhole(source)) {
            return false;
        }
        prepareQuotas(work);
        work.effect(
                new Effect("snapshot", folder.toString()),
                () -> BtrfsCalls.snapshot(source, parent(folder), name(folder)));
        return true;
    }

    /** Returns whether a snapshot of btrfs has all that is in the folder. */
    private boolean isWhole(Path folder) throws IOException {
        OptionalLong subvolume = BtrfsCalls.subvolume(folder);
        return subvolume.isPresent() && !BtrfsQuotas.hasBelow(place, subvolume.getAsLong());
    }

    private static Path parent(Path folder) {
        return Objects.requireNonNull(folder.getParent());
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }

    /** Enables quotas before the first volume is made; with volumes but no quotas, nothing gets this far. */
    private void prepareQuotas(Work work) throws IOException {
        BtrfsQuotas.State state = BtrfsOccupancy.state(place);
        if (state == BtrfsQuotas.State.OFF) {
            work.effect(new Effect("quota", place.toString()), () -> BtrfsCalls.enableQuotas(place));
            state = BtrfsOccupancy.state(place);
        }
        BtrfsOccupancy.check(place, state);
        if (state == BtrfsQuotas.State.INCONSISTENT) {
            BtrfsCalls.recount(place);
        }
    }

    @Override
    public void complete(Path folder, Capacity size, Work work) throws IOException {
        if (missing(folder, size).isEmpty()) {
            return;
        }
        if (BtrfsCalls.subvolume(folder).isEmpty()) {
            throw new StorageException(new Failure.NotOurs(
                    "the folder " + folder, "no subvolume, which the sizes of a pool of kind btrfs need"));
        }
        work.effect(new Effect("size", folder.toString()), () -> BtrfsCalls.limit(folder, size.bytes()));
    }

    @Override
    public String missing(Path folder, Capacity size) throws IOException {
        try {
            if (BtrfsCalls.subvolume(folder).isEmpty()) {
                return "its subvolume";
            }
            OptionalLong limit =
                    BtrfsQuotas.in(folder).map(BtrfsQuotas.QuotaUse::limit).orElseGet(OptionalLong::empty);
            return size.bytes() == 0 || (limit.isPresent() && limit.getAsLong() >= size.bytes())
                    ? ""
                    : "a quota of " + size;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return "its folder";
            }
            throw e;
        }
    }

    @Override
    public Capacity copySize(Path folder, Capacity size) throws IOException {
        try {
            if (BtrfsCalls.subvolume(folder).isEmpty()) {
                return size;
            }
            BtrfsCalls.sync(folder);
            return BtrfsQuotas.in(folder)
                    .map(count -> Capacity.ofBytes(count.referred()))
                    .orElse(size);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Capacity.ZERO; // it is not copied then
            }
            throw e;
        }
    }

    @Override
    public Capacity mostCopied(Path folder, Capacity size, Capacity now) throws IOException {
        return isWhole(folder) ? now : size;
    }

    @Override
    public void seal(Path folder, Work work) throws IOException {
        if (BtrfsCalls.subvolume(folder).isEmpty() || BtrfsCalls.isReadOnly(folder)) {
            return;
        }
        work.effect(new Effect("seal", folder.toString()), () -> BtrfsCalls.setReadOnly(folder, true));
        if (!BtrfsCalls.isReadOnly(folder)) {
            throw new IOException(folder + " was made read-only and can still be written to");
        }
    }

    @Override
    public boolean enforcesSize() {
        return true;
    }
}
