package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Unmounts what kubelet has staged and forgotten.
 *
 * <p>kubelet keeps only in memory what it still has to unstage after the last pod has gone; if it is restarted then,
 * before the driver has registered again, it never asks for that. As long as the volume exists, such a mount cannot be
 * told from one that is about to be used, so it stays. It is unmounted once the volume's folder has been deleted and no
 * pod shows it.
 */
public final class ForgottenStaging {
    /** The end that Linux adds to the root of a mount whose directory has been removed. */
    private static final String DELETED = "//deleted";

    private final Mounter mounter;
    private final StagingPaths paths;

    /** @param drivers the CSI names of this process, whose staging paths are looked at */
    public ForgottenStaging(Mounter mounter, Set<String> drivers) {
        this.mounter = mounter;
        this.paths = new StagingPaths(drivers);
    }

    /** Unmounts what was forgotten, and answers its mount points. */
    public List<String> unmount(Work work) {
        List<MountEntry> table = mounter.table(work);
        List<String> done = new ArrayList<>();
        for (MountEntry mount : table) {
            if (paths.include(mount.mountPoint()) && mount.root().endsWith(DELETED) && isAlone(mount, table)) {
                mounter.unmount(Path.of(mount.mountPoint()), work);
                done.add(mount.mountPoint());
            }
        }
        return done;
    }

    private static boolean isAlone(MountEntry mount, List<MountEntry> table) {
        return table.stream()
                .noneMatch(other -> other.id() != mount.id()
                        && (other.showsSameAs(mount) || other.mountPoint().equals(mount.mountPoint())));
    }
}
