package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Optional;

/** The SMB share of a dataset that somebody has destroyed by hand: OpenZFS 2.1 leaves it, and none of NFS. */
record LeftShare(ZfsConnection connection, HostView view, DatasetName gone) {
    private static final String MOUNTPOINT = "mountpoint";

    /** Takes it away where it has the dataset's name and path; what has the name alone is another's. */
    void remove(Work work) {
        Optional<String> path = connection.births().expectedMountpoint(gone).or(() -> belowParent(work));
        if (path.isEmpty()) {
            return;
        }
        Outcome outcome = host().run("zfs unshare", gone.value(), view.removeLeft(gone, path.get()), work);
        if (!outcome.succeeded()) {
            throw host().failure(
                            "taking away the share of " + gone + ", which is gone; 'net usershare delete "
                                    + ShareNames.file(gone) + "' does it by hand",
                            outcome);
        }
    }

    private Optional<String> belowParent(Work work) {
        return gone.parent()
                .flatMap(parent -> host().get(parent.value(), List.of(MOUNTPOINT), work))
                .flatMap(rows -> Optional.ofNullable(rows.get(MOUNTPOINT)))
                .map(Property::value)
                .filter(path -> path.startsWith("/"))
                .map(path -> path + "/" + gone.leaf());
    }

    private ZfsHost host() {
        return connection.host();
    }
}
