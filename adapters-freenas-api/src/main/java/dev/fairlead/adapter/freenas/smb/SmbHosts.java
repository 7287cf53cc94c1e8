package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lets hosts reach a closed volume's share, and shuts them out of it. An empty list lets everybody in on a TrueNAS, so
 * nobody is said by a share that is off; a share is made off, and lets hosts in afterwards.
 *
 * <p>A box may do a change late whose call was cut. Such a change is made void by its number: the share that it names
 * is deleted, and another one of that name takes its place. Names are unique, so the old one goes first; if the call is
 * cut then, the next one finds no share, and makes it. A process that began lately does not know what one before it has
 * sent: it replaces each share once before it takes a node's access away. It does not to let one in, since nodes that
 * use a share see errors while it is replaced.
 *
 * <p>Samba looks who may use a share when a host connects, and never again; a box cuts off who uses one that it
 * switches off or deletes, and loads whom it lets in after that, so that who is cut off can come back in between. So a
 * revocation has the box load whom a share lets in, then asks who uses it, and ends all sessions if there is one of
 * somebody else, or the box does not say. Since nobody is let in by then who is shut out, none of them comes back.
 *
 * <p>A row says what was asked for, and not what the service has loaded: a reload may have failed, or been cut. So a
 * revocation always changes something, and be it to what it is; and what failed before is sent again.
 */
record SmbHosts(SmbShareCalls shares, ShareUses uses, LateCalls late) {
    /** The denied hosts of a share that is on and lets nobody in: an empty list of allowed ones would let in all. */
    private static final List<String> ALL = List.of("ALL");

    /** The number of times that a box is asked again whether sessions have ended. */
    private static final int MOST_LOOKS = 10;

    private static final Duration AGAIN = Duration.ofMillis(200);

    /**
     * Lets exactly these hosts in, and reads that back.
     *
     * @param fresh the fields of the share if it is not there; empty if none is to be made
     * @param revokes whether nodes are shut out by this, and none let in that is not
     */
    void set(String path, Optional<JsonObject> fresh, Set<String> hosts, boolean revokes, Work work) {
        if (revokes) {
            GrantedNodes.shutOut(
                    () -> GrantedNodes.shutOut(
                            hosts,
                            hosts.isEmpty() ? Optional.empty() : letIn(path, work),
                            kept -> apply(path, fresh, kept, true, work)),
                    () -> delete(path, work));
        } else {
            apply(path, fresh, hosts, false, work);
        }
    }

    /**
     * Leaves a path without a share, which nobody reaches either: a box refuses all changes of a share of which it
     * dislikes anything, and goes on sharing it.
     */
    private void delete(String path, Work work) {
        List<SmbShareEntry> there = shares.of(path, work);
        int _ = late.changing(thing(path), () -> {
            there.forEach(share -> shares.delete(share, work));
            return there.size();
        });
        if (!shares.of(path, work).isEmpty()) {
            throw shares.rows().unavailable("the SMB share of " + path + " was deleted, and is there again");
        }
    }

    /**
     * Returns the one share of a path if it lets nobody in, after it was made if there is none; empty if something else
     * has to be done for that. Nothing is changed that another process could have changed too, so that nobody has to
     * look whether the record of nodes is still the same.
     */
    Optional<SmbShareEntry> off(String path, JsonObject fresh, Work work) {
        LateCalls.ChangeTarget thing = thing(path);
        if (late.mayChange(thing) || late.isDoubtful(thing)) {
            return Optional.empty();
        }
        List<SmbShareEntry> there = shares.of(path, work);
        if (there.size() > 1) {
            return Optional.empty();
        }
        SmbShareEntry share =
                there.isEmpty() ? late.changing(thing, () -> shares.create(off(fresh, work), work)) : there.getFirst();
        return Optional.of(share).filter(it -> it.letsInOnly(Set.of()));
    }

    /** Returns whom the shares of a path let in now; empty if that is everybody. */
    private Optional<Set<String>> letIn(String path, Work work) {
        Set<String> hosts = new TreeSet<>();
        for (SmbShareEntry share : shares.of(path, work)) {
            if (share.enabled() && (share.allowed().isEmpty() || !share.denied().isEmpty())) {
                return Optional.empty();
            }
            hosts.addAll(share.enabled() ? share.allowed() : Set.of());
        }
        return Optional.of(hosts);
    }

    private void apply(String path, Optional<JsonObject> fresh, Set<String> hosts, boolean revokes, Work work) {
        List<SmbShareEntry> there = shares.of(path, work);
        LateCalls.ChangeTarget thing = thing(path);
        boolean again = late.isDoubtful(thing);
        // One that is missing is made for those who remain, and for nobody if a cut may have left it so: what is loaded
        // may be another than what the rows say. It is not if it was not exported, as far as this process knows.
        boolean wanted = fresh.isPresent() && (!revokes || !hosts.isEmpty() || again || late.anyMayChange(thing));
        boolean anew = late.mayChange(thing) || (revokes && !there.isEmpty() && late.anyMayChange(thing));
        // The rows of those who are let in are not believed either.
        boolean believed = !again && hosts.isEmpty() && !(revokes && !there.isEmpty());
        if (!anew && believed && isSo(there, hosts, wanted)) {
            return;
        }
        late.changing(thing, () -> change(there, anew, wanted ? fresh : Optional.empty(), hosts, revokes, work));
        if (anew) {
            late.settle(thing);
        }
        if (!isSo(shares.of(path, work), hosts, false)) {
            throw shares.rows()
                    .unavailable(path + " was shared with " + (hosts.isEmpty() ? "nobody" : hosts)
                            + ", and its SMB shares read back differently");
        }
    }

    private LateCalls.ChangeTarget thing(String path) {
        return LateCalls.thing(shares.rows().api(), "SMB share " + path);
    }

    private static boolean isSo(List<SmbShareEntry> there, Set<String> hosts, boolean wanted) {
        return there.stream().allMatch(share -> share.letsInOnly(hosts)) && !(wanted && there.isEmpty());
    }

    /** Returns how many shares there were. */
    private int change(
            List<SmbShareEntry> there,
            boolean anew,
            Optional<JsonObject> fresh,
            Set<String> hosts,
            boolean revokes,
            Work work) {
        boolean told = revokes && uses.areTold(work);
        for (SmbShareEntry share : there) {
            if (revokes && !told && (anew || hosts.isEmpty())) {
                shares.update(share, true, List.of(), ALL, work); // who is cut off next must not come back
            }
            SmbShareEntry now = anew ? replaced(share, hosts, work) : share;
            if (!anew) {
                shares.update(share, !hosts.isEmpty(), hosts, List.of(), work);
            }
            boolean more = told ? uses.mayBeOfOthers(now, hosts, work) : !anew && !hosts.isEmpty();
            if (revokes && more) {
                cutOff(now, hosts, work);
                requireGone(now, hosts, work);
            }
        }
        if (there.isEmpty() && fresh.isPresent()) {
            letIn(shares.create(off(fresh.get(), work), work), hosts, work);
        }
        return there.size();
    }

    private SmbShareEntry replaced(SmbShareEntry share, Set<String> hosts, Work work) {
        shares.delete(share, work);
        SmbShareEntry next = shares.create(shares.fields(work).like(share), work);
        letIn(next, hosts, work);
        return next;
    }

    /** Cuts off all who use a share that lets in exactly these hosts: they come back, and the others do not. */
    private void cutOff(SmbShareEntry share, Set<String> hosts, Work work) {
        if (hosts.isEmpty()) {
            shares.update(share, true, List.of(), ALL, work);
            shares.update(share, false, List.of(), List.of(), work);
        } else {
            shares.update(share, false, hosts, List.of(), work);
            shares.update(share, true, hosts, List.of(), work);
        }
    }

    /**
     * Throws if somebody who may not uses a share whose sessions were ended: a box whose Samba does not end them says
     * nothing of it. One that cannot be asked is believed.
     */
    private void requireGone(SmbShareEntry share, Set<String> hosts, Work work) {
        for (int i = 0; uses.areOfOthers(share, hosts, work).orElse(false); i++) {
            if (i == MOST_LOOKS) {
                throw shares.rows()
                        .unavailable("the sessions of the SMB share " + share.name()
                                + " were to end, and somebody who may not still uses it; end them on the box");
            }
            Backoff.pause(AGAIN, work);
        }
    }

    private void letIn(SmbShareEntry share, Set<String> hosts, Work work) {
        if (!share.letsInOnly(hosts)) {
            shares.update(share, !hosts.isEmpty(), hosts, List.of(), work);
        }
    }

    private JsonObject off(JsonObject fields, Work work) {
        return shares.fields(work).withHosts(fields, false, List.of(), List.of());
    }
}
