package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.BtrfsQuotas;
import dev.fairlead.linux.BtrfsQuotas.QuotaUse;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Knows what subvolumes of a btrfs occupy, as its quotas counted it at the last commit. A volume that has no limit, as
 * after its quotas were switched off and on or its pool was restored, gets it again.
 */
final class BtrfsOccupancy implements Occupancy {
    private Optional<BtrfsQuotas> former = Optional.empty();
    private Optional<BtrfsQuotas> read = Optional.empty();

    static BtrfsQuotas.State state(Path place) throws IOException {
        proveBtrfs(place);
        return BtrfsQuotas.state(place);
    }

    private BtrfsQuotas quotas(Path place) throws IOException {
        proveBtrfs(place);
        BtrfsQuotas quotas = former.isPresent() ? BtrfsQuotas.after(place, former.get()) : BtrfsQuotas.of(place);
        former = Optional.empty();
        return quotas;
    }

    private static void proveBtrfs(Path place) throws IOException {
        if (!BtrfsCalls.isBtrfs(place)) {
            throw new IOException(place + " is on no btrfs, which the pool's kind says; mount its disk, or have"
                    + " another pool of kind image there");
        }
    }

    /** Throws if sizes do not hold. */
    static void check(Path place, BtrfsQuotas.State state) throws IOException {
        switch (state) {
            case OFF ->
                throw new IOException("the quotas of the file system of " + place + " are off, so no size of the"
                        + " pool's volumes holds; enable them with btrfs quota enable, and each volume gets its"
                        + " limit again");
            case SIMPLE ->
                throw new IOException("the quotas of the file system of " + place + " are simple ones, which do not"
                        + " count what a clone shares with its source; disable them with btrfs quota disable, and"
                        + " enable them without --simple");
            case ON, INCONSISTENT -> {}
        }
    }

    /** Takes over the counts that have not changed since. */
    @Override
    public void follow(Occupancy before) {
        if (before instanceof BtrfsOccupancy btrfs) {
            former = btrfs.read;
        }
    }

    /** Throws unless quotas hold here, or the first volume can enable them. */
    @Override
    public void check(Path place) throws IOException {
        BtrfsQuotas quotas = quotas(place.toRealPath());
        if (quotas.state() != BtrfsQuotas.State.OFF) {
            check(place, quotas.state());
        }
        read = Optional.of(quotas);
    }

    @Override
    public Optional<SpaceUse> of(Path folder) throws IOException {
        try {
            OptionalLong subvolume = BtrfsCalls.subvolume(folder);
            if (subvolume.isEmpty()) {
                return Optional.empty(); // a plain folder that was there before
            }
            return Optional.of(use(folder, subvolume.getAsLong()));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.of(SpaceUse.NOTHING);
            }
            throw e;
        }
    }

    @Override
    public Optional<SpaceUse> again(Path folder, SpaceUse before) throws IOException {
        return before.number() == 0 ? of(folder) : Optional.of(use(folder, before.number()));
    }

    private SpaceUse use(Path folder, long subvolume) throws IOException {
        return count(folder, subvolume)
                .map(it -> new SpaceUse(it.limit().orElse(0), it.referred(), true, subvolume))
                .orElse(SpaceUse.NOTHING);
    }

    /** Returns the count of a subvolume; empty if it is newer than what was read. */
    private Optional<QuotaUse> count(Path folder, long subvolume) throws IOException {
        BtrfsQuotas quotas = read.isPresent() ? read.get() : quotas(folder);
        read = Optional.of(quotas);
        check(folder.resolveSibling(""), quotas.state());
        return Optional.ofNullable(quotas.subvolumes().get(subvolume));
    }

    @Override
    public void restore(Path folder, long size) throws IOException {
        try {
            BtrfsCalls.limit(folder, size);
        } catch (LinuxException e) {
            if (RecordedFolders.stat(folder).isPresent()) {
                throw e;
            }
        }
    }
}
