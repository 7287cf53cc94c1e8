package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes a closed volume's share let in exactly the nodes that are recorded with the volume. An empty list lets
 * everybody in on a TrueNAS, so nobody is said by a share that is off; every share of a closed volume is made off, and
 * let in nodes to afterwards.
 *
 * <p>A box goes on with a change whose call was cut, and may do it minutes later. Such a change is made void by its
 * number: the share that it names is deleted, and another one takes its place.
 */
record HostAccess(NfsShareCalls shares, DatasetCalls datasets, PendingChanges pending) {
    private static final String MOUNTS = "/mnt/";
    private static final int MOST_ROUNDS = 5;

    /**
     * Lets exactly these nodes in, and reads that back.
     *
     * @param fresh the fields of a share if none is there; empty if none is to be made
     */
    void apply(StoredVolume volume, Grants grants, Optional<JsonObject> fresh, Work work) {
        String path = volume.medium().path();
        if (hasChanged(volume, recorded(volume, work))) {
            throw changedMeanwhile(path);
        }
        set(path, hosts(grants), fresh, work);
        Optional<String> after = recorded(volume, work);
        if (!hasChanged(volume, after)) {
            return;
        }
        // Whoever was shut out meanwhile may have been let in again, and nobody else would take that back.
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Optional<String> now = after;
            set(path, hosts(grants(volume, now)), fresh, work);
            after = recorded(volume, work);
            if (after.equals(now)) {
                break;
            }
        }
        throw changedMeanwhile(path);
    }

    private static Grants grants(StoredVolume volume, Optional<String> record) {
        return Access.of(volume.withNotes(Map.of(Access.NOTE, "nodes", Access.GRANTS, record.orElse("")))
                                .notes())
                        instanceof Access.Nodes(Grants grants)
                ? grants
                : Grants.NONE;
    }

    private static Set<String> hosts(Grants grants) {
        return new TreeSet<>(grants.initiators().keySet());
    }

    /** Returns the record of nodes as the box has it now; empty if there is none, or it cannot be read by the path. */
    private Optional<String> recorded(StoredVolume volume, Work work) {
        String path = volume.medium().path();
        Optional<DatasetName> name =
                path.startsWith(MOUNTS) ? DatasetName.of(path.substring(MOUNTS.length())) : Optional.empty();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        DatasetEntry entry = datasets.find(name.get(), work)
                .orElseThrow(() -> new StorageException(
                        new Failure.VolumeNotFound(volume.id().value())));
        return Optional.ofNullable(entry.volume().allNotes().get(Access.GRANTS));
    }

    private static boolean hasChanged(StoredVolume seen, Optional<String> record) {
        String known = seen.notes().getOrDefault(Access.GRANTS, "");
        return record.filter(text -> !text.equals(known)).isPresent();
    }

    private StorageException changedMeanwhile(String path) {
        return shares.unavailable("the nodes that " + path + " is published to were changed meanwhile");
    }

    private void set(String path, Set<String> hosts, Optional<JsonObject> fresh, Work work) {
        List<NfsShareEntry> there = shares.of(path, work);
        boolean isMissing = there.isEmpty() && fresh.isPresent();
        boolean isRight = isSo(there, hosts) && !mayChangeLate(path) && !isMissing;
        if (isRight || (there.isEmpty() && fresh.isEmpty())) {
            return;
        }
        try {
            change(path, there, hosts, fresh, work);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.OutcomeUnknown || e.failure() instanceof Failure.TimedOut) {
                pending.add(key(path));
            }
            throw e;
        }
        List<NfsShareEntry> seen = shares.of(path, work);
        if (!isSo(seen, hosts)) {
            throw shares.unavailable(path + " was shared with " + (hosts.isEmpty() ? "nobody" : hosts)
                    + ", and its NFS shares read back differently");
        }
    }

    private static boolean isSo(List<NfsShareEntry> there, Set<String> hosts) {
        return hosts.isEmpty()
                ? there.stream().noneMatch(NfsShareEntry::enabled)
                : there.size() == 1
                        && there.getFirst().paths().size() == 1
                        && there.getFirst().letsInOnly(hosts);
    }

    private boolean mayChangeLate(String path) {
        return pending.has(key(path));
    }

    private String key(String path) {
        return datasets.api().connection() + " share " + path;
    }

    private void change(
            String path, List<NfsShareEntry> there, Set<String> hosts, Optional<JsonObject> fresh, Work work) {
        boolean anew =
                mayChangeLate(path) || (pending.mayHaveInherited() && !isSo(there, hosts) && narrows(there, hosts));
        List<NfsShareEntry> own = new ArrayList<>(there);
        own.removeIf(share -> !share.isOnlyOf(path));
        Optional<NfsShareEntry> kept = anew ? Optional.empty() : own.stream().findFirst();
        JsonObject fields = fresh.orElseGet(() -> NfsShareCalls.like(there.getFirst()));
        // The new one comes first, off, so that a repetition finds that nodes are to be let in.
        Optional<NfsShareEntry> made = kept.isEmpty() && (fresh.isPresent() || !hosts.isEmpty())
                ? Optional.of(off(path, fields, work))
                : Optional.empty();
        for (NfsShareEntry share : there) {
            if (kept.filter(share::equals).isEmpty()) {
                shares.withdraw(share, path, work);
            }
        }
        Optional<NfsShareEntry> share = kept.or(() -> made);
        if (!hosts.isEmpty() || share.filter(NfsShareEntry::enabled).isPresent()) {
            shares.update(share.orElseThrow(), path, NfsShareCalls.lettingIn(hosts), work);
        }
        pending.settle(key(path));
    }

    /** Says whether somebody who may be let in now is not to be let in any more. */
    private static boolean narrows(List<NfsShareEntry> there, Set<String> hosts) {
        return there.stream()
                .filter(NfsShareEntry::enabled)
                .anyMatch(share -> !hosts.containsAll(share.hosts())
                        || !share.networks().isEmpty()
                        || share.hosts().isEmpty());
    }

    /** Makes a share that is off: one that is made late by a call that was cut lets nobody in. */
    private NfsShareEntry off(String path, JsonObject fields, Work work) {
        JsonObject off = fields.deepCopy();
        NfsShareCalls.lettingIn(List.of()).asMap().forEach(off::add);
        return shares.create(path, off, work)
                .orElseThrow(() -> shares.unavailable("another NFS share of " + path + " was made meanwhile"));
    }
}
