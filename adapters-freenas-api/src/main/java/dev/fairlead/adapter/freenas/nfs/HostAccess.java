package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Makes a closed volume's share let in exactly the nodes that are recorded with the volume. An empty list lets
 * everybody in on a TrueNAS, so nobody is said by a share that is off; every share of a closed volume is made off, and
 * let in nodes to afterwards.
 *
 * <p>A box may do a change late whose call was cut. Such a change is made void by its number: the share that it names
 * is deleted, and another one takes its place. A process that began lately knows not what one before it has sent: it
 * replaces each share once before it takes a node's access away.
 *
 * <p>A row says what was asked for, and not what the service has loaded: a reload may have failed, or been cut. So a
 * revocation always changes something, and be it to what it is; and what failed before is sent again.
 */
record HostAccess(NfsShareCalls shares, GrantedNodes granted, LateCalls late) {
    /**
     * Lets exactly these nodes in, and reads that back; shuts out all but them if no share is to be made.
     *
     * @param fresh the fields of a share if none is there; empty if none is to be made
     */
    void apply(StoredVolume volume, Grants grants, Optional<JsonObject> fresh, Work work) {
        List<NfsShareEntry> seen = follow(volume, grants, fresh, work);
        if (seen.size() == 1) {
            long number = seen.getFirst().id();
            granted.note(volume, Map.of(Notes.FREENAS_NFS_SHARE, Long.toString(number)), work);
        }
    }

    /** Lets exactly these nodes in, reads that back, and returns the share, whose number the caller notes. */
    NfsShareEntry export(StoredVolume volume, Grants grants, JsonObject fresh, Work work) {
        String path = volume.medium().path();
        return (grants.isEmpty() ? off(path, fresh, work) : Optional.<NfsShareEntry>empty())
                .or(() -> follow(volume, grants, Optional.of(fresh), work).stream()
                        .findFirst())
                .orElseThrow(() ->
                        shares.untrue("the NFS share of " + path + " was made, and is not there when it is read back"));
    }

    /**
     * Returns the one share of a path if it lets nobody in, after it was made if there is none; empty if something else
     * has to be done for that. Nothing is changed that another process could have changed too, so that nobody has to
     * look whether the record of nodes is still the same.
     */
    private Optional<NfsShareEntry> off(String path, JsonObject fresh, Work work) {
        LateCalls.ChangeTarget thing = thing(path);
        if (late.mayChange(thing) || late.isDoubtful(thing)) {
            return Optional.empty();
        }
        List<NfsShareEntry> there = shares.of(path, work);
        if (there.size() > 1) {
            return Optional.empty();
        }
        Optional<NfsShareEntry> share = there.isEmpty()
                ? late.changing(thing, () -> shares.create(path, off(fresh), work))
                : Optional.of(there.getFirst());
        return share.filter(it -> it.isOnlyOf(path) && !it.enabled());
    }

    /** Returns the shares as they are in the end. */
    private List<NfsShareEntry> follow(StoredVolume volume, Grants grants, Optional<JsonObject> fresh, Work work) {
        String path = volume.medium().path();
        var seen = new AtomicReference<List<NfsShareEntry>>(List.of());
        Consumer<Grants> change = now -> {
            Set<String> hosts = new TreeSet<>(now.initiators().keySet());
            if (fresh.isPresent()) {
                seen.set(set(path, hosts, fresh, work));
            } else {
                GrantedNodes.shutOut(
                        () -> GrantedNodes.shutOut(
                                hosts,
                                hosts.isEmpty() ? Optional.empty() : letIn(path, work),
                                kept -> seen.set(set(path, kept, fresh, work))),
                        () -> seen.set(withdrawn(path, work)));
            }
        };
        if (fresh.isPresent()) {
            granted.admit(volume, grants, change, work);
        } else {
            granted.follow(volume, grants, change, work);
        }
        return seen.get();
    }

    /**
     * Leaves a path without a share, which nobody reaches either: a box refuses all changes of a share of which it
     * dislikes anything, such as an account that is gone, and goes on sharing it.
     */
    private List<NfsShareEntry> withdrawn(String path, Work work) {
        LateCalls.ChangeTarget thing = thing(path);
        List<NfsShareEntry> there = shares.of(path, work);
        int _ = late.changing(thing, () -> {
            there.forEach(share -> shares.withdraw(share, path, work));
            return there.size();
        });
        List<NfsShareEntry> seen = shares.of(path, work);
        if (!seen.isEmpty()) {
            throw shares.unavailable("the NFS share of " + path + " was deleted, and is still there");
        }
        return seen;
    }

    /** Returns whom the shares of a path let in now; empty if that is everybody, or whole networks. */
    private Optional<Set<String>> letIn(String path, Work work) {
        Set<String> hosts = new TreeSet<>();
        for (NfsShareEntry share : shares.of(path, work)) {
            if (share.enabled() && (share.hosts().isEmpty() || !share.networks().isEmpty())) {
                return Optional.empty();
            }
            hosts.addAll(share.enabled() ? share.hosts() : Set.of());
        }
        return Optional.of(hosts);
    }

    /** Returns the shares as they are afterwards. */
    private List<NfsShareEntry> set(String path, Set<String> hosts, Optional<JsonObject> fresh, Work work) {
        List<NfsShareEntry> there = shares.of(path, work);
        boolean isMissing = there.isEmpty() && fresh.isPresent();
        boolean revokes = fresh.isEmpty();
        LateCalls.ChangeTarget thing = thing(path);
        boolean anew = late.mayChange(thing) || (revokes && !there.isEmpty() && late.anyMayChange(thing));
        // What is to let somebody in is set again: the rows may be right, and their load by the service was cut.
        boolean isRight =
                hosts.isEmpty() && isSo(there, hosts) && !anew && !isMissing && !revokes && !late.isDoubtful(thing);
        if (isRight || (there.isEmpty() && revokes)) {
            return there;
        }
        late.changing(thing, () -> change(path, there, anew, hosts, fresh, work));
        if (anew) {
            late.settle(thing); // the share that a late change names is gone
        }
        List<NfsShareEntry> seen = shares.of(path, work);
        if (!isSo(seen, hosts)) {
            throw shares.unavailable(path + " was shared with " + (hosts.isEmpty() ? "nobody" : hosts)
                    + ", and its NFS shares read back differently");
        }
        return seen;
    }

    private LateCalls.ChangeTarget thing(String path) {
        return LateCalls.thing(shares.api(), "NFS share " + path);
    }

    /** Says whether exactly these hosts are let in, by one share; a second one that is off is a late call's twin. */
    private static boolean isSo(List<NfsShareEntry> there, Set<String> hosts) {
        return hosts.isEmpty()
                ? there.size() <= 1 && there.stream().noneMatch(NfsShareEntry::enabled)
                : there.size() == 1
                        && there.getFirst().paths().size() == 1
                        && there.getFirst().letsInOnly(hosts);
    }

    private NfsShareEntry change(
            String path,
            List<NfsShareEntry> there,
            boolean anew,
            Set<String> hosts,
            Optional<JsonObject> fresh,
            Work work) {
        List<NfsShareEntry> own = new ArrayList<>(there);
        own.removeIf(share -> !share.isOnlyOf(path));
        Optional<NfsShareEntry> kept = anew ? Optional.empty() : own.stream().findFirst();
        JsonObject fields = fresh.orElseGet(() -> NfsShareCalls.like(there.getFirst()));
        // The new one comes first, off, so that a repetition finds that nodes are to be let in; but CORE takes no share
        // without hosts beside another one of the filesystem, so there the old ones go first.
        // One stays for nobody too: what the deletion of the last one left loaded would be found by nobody.
        Optional<NfsShareEntry> made = kept.isEmpty() ? shares.create(path, off(fields), work) : Optional.empty();
        for (NfsShareEntry share : there) {
            if (kept.filter(share::equals).isEmpty()) {
                shares.withdraw(share, path, work);
            }
        }
        NfsShareEntry share = kept.or(() -> made).orElseGet(() -> makeOff(path, fields, work));
        if (!hosts.isEmpty() || kept.isPresent()) {
            shares.update(share, path, NfsShareCalls.lettingIn(hosts), work);
        }
        return share;
    }

    /** Makes a share that is off: one that is made late by a call that was cut lets nobody in. */
    private NfsShareEntry makeOff(String path, JsonObject fields, Work work) {
        return shares.create(path, off(fields), work)
                .orElseThrow(() -> shares.unavailable("another NFS share of " + path + " was made meanwhile"));
    }

    private static JsonObject off(JsonObject fields) {
        JsonObject off = fields.deepCopy();
        NfsShareCalls.lettingIn(List.of()).asMap().forEach(off::add);
        return off;
    }
}
