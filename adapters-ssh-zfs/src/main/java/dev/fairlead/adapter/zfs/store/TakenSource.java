package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Finality;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A snapshot that is taken so that a clone or a copy can be made of it. Nobody has asked for it and nobody can delete
 * it: where nothing comes of it, it goes again, or it would keep space of its volume, and old content for a later call.
 */
record TakenSource(ZfsHost host, SnapshotName name) {
    private static final String MINE = "false";

    /** Every snapshot inherits the mark of its volume, and so do those that democratic-csi takes for this. */
    private static final List<List<String>> OURS = List.of(List.of(PeerProperties.MANAGED + "\t" + MINE));

    Steps taken() {
        return new Steps().then(zfs().snapshot(List.of(name), Map.of(PeerProperties.MANAGED, MINE)));
    }

    /**
     * Lets it go after a failure that is the last word: whoever gets that may never ask again.
     *
     * @param further lets go of what else was made for it
     * @return what the caller is to be told: to come again, where it could not be destroyed
     */
    StorageException afterwards(StorageException thrown, Consumer<Work> further, Work work) {
        if (!Finality.isFinal(thrown.failure())) {
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

    /** A clone that has been begun keeps it for as long as it is there itself. */
    void destroy(Work work) {
        Steps steps = new Steps()
                .expect(zfs().ownOf(name.toString(), List.of(PeerProperties.MANAGED)), OURS)
                .then(zfs().destroy(name, true));
        Outcome outcome = host.run("zfs destroy", name.toString(), steps, work);
        // The look itself says nothing. zfs would begin with this word; what sudo says of itself does not.
        boolean somebodyElses =
                outcome.failedAt(0, Complaint.OTHER) && !outcome.said().contains("cannot ");
        if (!outcome.succeeded() && !somebodyElses && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
