package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Takes a snapshot so that a clone or a copy can be made of it. Nobody has asked for it and nobody can delete it: if
 * nothing comes of it, it is destroyed, since it would keep space of its volume, and old content for a later call.
 */
public record TakenSource(ZfsHost host, SnapshotName name) {
    private static final String MINE = "false";

    /**
     * The mark that only our snapshots have as their own: all others inherit that of their volume, also those that
     * democratic-csi takes for the same purpose.
     */
    private static final List<List<String>> OURS = List.of(List.of(PeerProperties.MANAGED + "\t" + MINE));

    public Steps taken() {
        return new Steps().then(zfs().snapshot(List.of(name), Map.of(PeerProperties.MANAGED, MINE)));
    }

    /**
     * Destroys the snapshot after a failure that is final, since a caller that gets one may never ask again.
     *
     * @param further removes what else was made for it
     * @return the failure for the caller: one that will be retried if the snapshot could not be destroyed
     */
    public StorageException afterwards(StorageException thrown, Consumer<Work> further, Work work) {
        if (!FinalCodes.isFinal(thrown.failure())) {
            return thrown;
        }
        try {
            destroy(work.finishing());
            further.accept(work.finishing());
            return thrown;
        } catch (StorageException stays) {
            thrown.addSuppressed(stays);
            return host.retried(
                    thrown.failure().message() + "; " + name + " was taken for it, and may still be there", thrown);
        }
    }

    /** Destroys the snapshot if it is ours; a clone that was begun keeps it for as long as the clone exists. */
    public void destroy(Work work) {
        Steps steps = new Steps()
                .expect(zfs().ownOf(name.toString(), List.of(PeerProperties.MANAGED)), OURS)
                .then(zfs().destroy(name, true));
        StepsOutcome outcome = host.run("zfs destroy", name.toString(), steps, work);
        // A check that fails prints nothing itself. An error of zfs has this word, a message of sudo's own has not.
        boolean somebodyElses =
                outcome.failedFirst(Complaint.OTHER) && !outcome.said().contains("cannot ");
        if (!outcome.succeeded() && !somebodyElses && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
