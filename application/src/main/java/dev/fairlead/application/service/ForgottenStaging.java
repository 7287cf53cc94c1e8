package dev.fairlead.application.service;

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
 * <p>kubelet knows from its memory alone what it still has to unstage once the last pod has gone; where it is restarted
 * then, before the driver has registered again, nobody ever asks for it. As long as the volume is there nothing can be
 * told from a mount that is about to be used, so it stays. Once the volume's folder has been deleted, and no pod shows
 * it, nobody can want it any more.
 */
public final class ForgottenStaging {
    /** Linux adds this to the root of a mount whose directory has been removed. */
    private static final String DELETED = "//deleted";

    private final Mounter mounter;
    private final StagingPaths paths;

    /** @param drivers the CSI names of this process, whose staging it is */
    public ForgottenStaging(Mounter mounter, Set<String> drivers) {
        this.mounter = mounter;
        this.paths = new StagingPaths(drivers);
    }

    /** Unmounts them, and answers their mount points. */
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
