package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.HostView;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes nodes out of {@code sharenfs}. The remaining nodes keep the options that the dataset has, which ZFS accepted,
 * rather than those of today's file, which it may refuse.
 *
 * @param configured {@code sharenfs} of the connection's file, for a dataset without a value to which hosts can be
 *     added
 */
record NfsRevocation(ZfsConnection connection, HostView view, String configured) implements Revocation {
    private static final String SHARENFS = ShareProtocol.NFS.property();

    @Override
    public void revoke(StoredVolume volume, Grants remaining, Work work) {
        DatasetName dataset = connection.layout().volume(volume.id()).orElseThrow(() -> missing(volume));
        share(volume, dataset, remaining, work);
    }

    private void share(StoredVolume volume, DatasetName dataset, Grants remaining, Work work) {
        String name = dataset.value();
        String path = volume.medium().path();
        String wanted = remaining.isEmpty() ? NfsHosts.NOBODY : NfsHosts.of(options(volume, name, work), remaining);
        Steps steps = RecordedGrants.asSeen(host().zfs(), dataset, volume)
                .then(host().zfs().set(name, Map.of(SHARENFS, wanted)))
                .and(view.look(dataset, Optional.of(path)))
                .then(host().zfs().get(name, List.of(SHARENFS)));
        StepsOutcome outcome = host().run("zfs share", name, steps, work);
        if (RecordedGrants.haveChanged(outcome)) {
            throw RecordedGrants.changedMeanwhile(host(), dataset);
        }
        if (!outcome.succeeded()) {
            throw outcome.complaint() == Complaint.DOES_NOT_EXIST
                    ? missing(volume)
                    : host().failure("shutting nodes out of " + name, outcome);
        }
        Map<String, Property> rows =
                host().rows(outcome, name, List.of(SHARENFS, HostView.ROW)).getOrDefault(name, Map.of());
        Property set = rows.get(SHARENFS);
        if (set == null || !set.value().equals(wanted)) {
            throw host().untrue(name + " was shared by " + SHARENFS + ", and it reads back differently");
        }
        boolean still = remaining.isEmpty()
                ? view.find(rows, path) == HostView.Finding.THERE
                : !Collections.disjoint(view.clients(rows, path), shutOut(volume, remaining));
        if (still) {
            throw host().notNow(name + " is shared no more by its properties with those who were shut out, and the"
                    + " storage host still shares " + path + " with them; " + view.remedy(dataset));
        }
    }

    /** Returns the addresses that the volume's record has and the remaining ones have not. */
    private static Set<String> shutOut(StoredVolume volume, Grants remaining) {
        Set<String> addresses = new HashSet<>();
        if (Access.of(volume.notes()) instanceof Access.Nodes(Grants recorded)) {
            addresses.addAll(recorded.initiators().keySet());
        }
        addresses.removeAll(remaining.initiators().keySet());
        return addresses;
    }

    /**
     * Returns the dataset's own value; the file's if hosts cannot be added to that; {@code on} if they can be added to
     * neither.
     */
    private String options(StoredVolume volume, String name, Work work) {
        Property own = host().get(name, List.of(SHARENFS), work)
                .orElseThrow(() -> missing(volume))
                .get(SHARENFS);
        if (own != null && own.isOwn() && NfsHosts.takesHosts(own.value())) {
            return own.value();
        }
        return NfsHosts.takesHosts(configured) ? configured : "on";
    }

    private static StorageException missing(StoredVolume volume) {
        return new StorageException(new Failure.VolumeNotFound(volume.id().value()));
    }

    private ZfsHost host() {
        return connection.host().fencing();
    }
}
