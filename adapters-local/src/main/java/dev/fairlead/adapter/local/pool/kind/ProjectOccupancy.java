package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.ProjectQuotas.ProjectUse;
import dev.fairlead.linux.ProjectQuotas.QuotaState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Knows what folders that are projects occupy, as their file system counts it at any time. A volume whose limit is gone
 * gets it again; one that is not in its project, as after its pool was restored file by file, counts as full.
 */
final class ProjectOccupancy implements Occupancy {
    private final String kind;
    private final ProjectNumbers numbers;

    ProjectOccupancy(String kind, ProjectNumbers numbers) {
        this.kind = kind;
        this.numbers = numbers;
    }

    /** Throws if sizes do not hold on the file system of a folder. */
    static void check(String kind, Path place, Projects projects) throws IOException {
        String found = projects.filesystem(place);
        if (!found.equals(kind)) {
            throw new IOException(place + " is on no " + kind + ", which the pool's kind says; mount its disk, or have"
                    + " another pool of kind image there");
        }
        Optional<String> lacked = lacked(place, projects);
        if (lacked.isPresent()) {
            throw new IOException("no size of the volumes of the pool at " + place + " holds, since " + lacked.get()
                    + "; " + remedy(kind));
        }
    }

    /** Returns why the limits of projects do not hold on a file system; empty if they do. */
    static Optional<String> lacked(Path place, Projects projects) throws IOException {
        QuotaState state = projects.state(place);
        return switch (state) {
            case ON -> unreadable(place, projects);
            case COUNTED -> Optional.of("its project quotas are counted and not enforced");
            case OFF -> Optional.of("its project quotas are off, or this kernel has none");
        };
    }

    private static Optional<String> unreadable(Path place, Projects projects) throws IOException {
        try {
            projects.use(place, 1);
            return Optional.empty();
        } catch (LinuxException e) {
            if (e.errno() != Errno.EPERM) {
                throw e; // what does not last may not decide what the pool is for good
            }
            return Optional.of("its project quotas cannot be read without CAP_SYS_ADMIN: " + e.getMessage());
        }
    }

    /** Returns what the operator does so that limits hold. */
    static String remedy(String kind) {
        return kind.equals("xfs")
                ? "unmount it and mount it with prjquota, which XFS does not take at a remount, on a kernel from 5.14 on"
                        + " with CONFIG_XFS_QUOTA"
                : "unmount it, run tune2fs -O quota,project on its device, and mount it with prjquota, on a kernel from"
                        + " 5.14 on with CONFIG_QFMT_V2";
    }

    @Override
    public void check(Path place) throws IOException {
        check(kind, place.toRealPath(), numbers.projects());
    }

    @Override
    public Optional<SpaceUse> of(Path folder) throws IOException {
        try {
            OptionalLong number = numbers.own(folder);
            if (number.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(use(folder, number.getAsLong()));
        } catch (LinuxException e) {
            return Optional.of(nothing(e));
        }
    }

    /** Asks for the project only; that the folder is in it is seen when all is looked at again. */
    @Override
    public Optional<SpaceUse> again(Path folder, SpaceUse before) throws IOException {
        if (before.number() == 0) {
            return of(folder);
        }
        try {
            return Optional.of(use(folder, before.number()));
        } catch (LinuxException e) {
            return Optional.of(nothing(e));
        }
    }

    private SpaceUse use(Path folder, long number) throws IOException {
        ProjectUse use = numbers.use(folder, number);
        return new SpaceUse(use.limit(), use.bytes(), true, number);
    }

    /** Returns what a folder that is gone occupies. */
    private static SpaceUse nothing(LinuxException e) throws LinuxException {
        if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
            return SpaceUse.NOTHING;
        }
        throw e;
    }

    @Override
    public void restore(Path folder, long size) throws IOException {
        try {
            OptionalLong number = numbers.own(folder);
            if (number.isPresent()) {
                numbers.projects().limit(folder, number.getAsLong(), size, ProjectForm.inodes(size));
            }
        } catch (LinuxException e) {
            if (RecordedFolders.stat(folder).isPresent()) {
                throw e;
            }
        }
    }
}
