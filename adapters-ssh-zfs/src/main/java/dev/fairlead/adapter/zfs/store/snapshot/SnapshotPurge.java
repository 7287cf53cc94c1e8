package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.List;

/** Destroys the snapshots that no CSI caller asked for; the caller has made sure that this is allowed. */
public record SnapshotPurge(ZfsHost host) {
    /**
     * The number of snapshots in one command: their names are one argument of a shell, which Linux limits to 128 KiB.
     */
    private static final int AT_ONCE = 100;

    public void of(DatasetTree tree, DatasetName name, Work work) {
        List<SnapshotName> all = tree.foreign();
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            List<SnapshotName> some = all.subList(from, Math.min(from + AT_ONCE, all.size()));
            Steps steps = new Steps().then(host.zfs().destroyAll(name, some));
            StepsOutcome outcome = host.run("zfs destroy", name.value(), steps, work);
            if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
                throw host.failure("destroying snapshots of " + name, outcome);
            }
        }
    }
}
