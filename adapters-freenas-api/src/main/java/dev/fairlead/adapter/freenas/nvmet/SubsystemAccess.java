package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets hosts reach a subsystem, and shuts them out of it. Nobody is said by a subsystem that no port shows, besides
 * having no hosts.
 *
 * <p>A host's row is shared by all subsystems, and belongs to whoever made it: with the key that its administrator gave
 * it, the host has to prove who it is.
 */
record SubsystemAccess(SubsystemCalls calls, LateCalls late, boolean requiresKeys) {
    /** Shows an open subsystem by these ports. */
    void open(JsonObject subsystem, List<Long> ports, boolean anyHost, Work work) {
        if (Json.flag(subsystem, SubsystemSettings.ANY_HOST) != anyHost) {
            calls.setAnyHost(subsystem, anyHost, work);
        }
        if (!show(subsystem, ports, work)) {
            calls.setAnyHost(subsystem, anyHost, work); // the rows may be right, and their load was cut
        }
    }

    /** Links a subsystem to ports, and says whether there was anything to do. */
    private boolean show(JsonObject subsystem, List<Long> ports, Work work) {
        List<JsonObject> links = calls.portLinks(subsystem, work);
        List<Long> missing = ports.stream()
                .filter(port -> links.stream().noneMatch(link -> SubsystemCalls.portOf(link) == port))
                .toList();
        missing.forEach(port -> {
            JsonObject _ = calls.linkPort(subsystem, port, work);
        });
        return !missing.isEmpty();
    }

    /** Lets exactly these hosts reach a subsystem by these ports, and reads it back. */
    void letIn(JsonObject subsystem, List<Long> ports, Set<String> hosts, Work work) {
        shutOut(subsystem, hosts, false, work);
        if (hosts.isEmpty()) {
            return;
        }
        if (requiresKeys) {
            hosts.forEach(host -> requireKey(host, calls.host(host, work)));
        }
        Set<String> there = hosts(subsystem, work);
        boolean changes = !there.containsAll(hosts);
        for (String host : hosts) {
            if (!there.contains(host)) {
                link(subsystem, host, work);
            }
        }
        if (!hosts(subsystem, work).equals(hosts)) {
            throw calls.rows().unavailable("the hosts of " + name(subsystem) + " were changed by others meanwhile");
        }
        if (!show(subsystem, ports, work) && !changes) {
            calls.setAnyHost(subsystem, false, work); // as for those who are shut out: rows do not say what is loaded
        }
    }

    private void link(JsonObject subsystem, String nqn, Work work) {
        Optional<JsonObject> known = calls.host(nqn, work);
        if (requiresKeys) {
            requireKey(nqn, known); // again: it may have been taken away meanwhile
        }
        JsonObject host = known.orElseGet(() -> calls.makeHost(nqn, work));
        JsonObject _ = late.changing(thing(subsystem), () -> calls.linkHost(subsystem, host, work));
    }

    private void requireKey(String nqn, Optional<JsonObject> host) {
        if (host.filter(SubsystemAccess::hasKey).isEmpty()) {
            throw calls.rows()
                    .rejected("the box has no DH-CHAP key of " + nqn
                            + ", and fairlead.requireDhchap asks for one; give that host its key on the box");
        }
    }

    private static boolean hasKey(JsonObject host) {
        return Json.text(host, "dhchap_key").filter(key -> !key.isEmpty()).isPresent();
    }

    /** Shuts all but these hosts out of a subsystem; see {@link #shutOut(JsonObject, Set, boolean, Work)}. */
    void revoke(JsonObject subsystem, Set<String> remaining, Work work) {
        shutOut(subsystem, remaining, true, work);
    }

    /**
     * Shuts all but these hosts out of a subsystem, and reads it back. Those who remain have access as they had.
     *
     * @param always whether the box is to load the subsystem though its rows are right: they say what was asked for,
     *     and not what its target has loaded, as a reload may have failed, or been cut
     */
    private void shutOut(JsonObject subsystem, Set<String> remaining, boolean always, Work work) {
        if (remaining.isEmpty()) {
            calls.portLinks(subsystem, work).forEach(link -> calls.unlinkPort(link, subsystem, work));
        }
        if (always || Json.flag(subsystem, SubsystemSettings.ANY_HOST)) {
            calls.setAnyHost(subsystem, false, work);
        }
        calls.hostLinks(subsystem, work).stream()
                .filter(link -> !remaining.contains(SubsystemCalls.hostOf(link)))
                .forEach(link -> calls.unlinkHost(link, subsystem, work));
        requireShutOut(subsystem, remaining, work);
    }

    /**
     * Says whether a host that was shut out may be let in again by a call whose end was not seen: one of this process,
     * or of the one before it.
     */
    boolean mayOpenLate(JsonObject subsystem) {
        return late.anyMayChange(thing(subsystem));
    }

    /** Says the same of calls of this process alone. */
    boolean mayOpenLateByThis(JsonObject subsystem) {
        return late.mayChange(thing(subsystem));
    }

    private void requireShutOut(JsonObject subsystem, Set<String> remaining, Work work) {
        boolean any = calls.subsystem(ExportRows.id(subsystem), work)
                .filter(seen -> Json.flag(seen, SubsystemSettings.ANY_HOST))
                .isPresent();
        boolean shown = remaining.isEmpty() && !calls.portLinks(subsystem, work).isEmpty();
        if (any || shown || !remaining.containsAll(hosts(subsystem, work))) {
            throw calls.rows()
                    .unavailable("hosts were shut out of " + name(subsystem) + ", and it reads back differently");
        }
    }

    private Set<String> hosts(JsonObject subsystem, Work work) {
        Set<String> hosts = new HashSet<>();
        calls.hostLinks(subsystem, work).forEach(link -> hosts.add(SubsystemCalls.hostOf(link)));
        return hosts;
    }

    /** Notes that no earlier call names a subsystem's number: it is gone, or was made just now. */
    void settle(JsonObject subsystem) {
        late.settle(thing(subsystem));
    }

    private LateCalls.ChangeTarget thing(JsonObject subsystem) {
        return LateCalls.thing(
                calls.rows().api(), "subsystem " + ExportRows.id(subsystem) + " " + SubsystemCalls.name(subsystem));
    }

    private static String name(JsonObject subsystem) {
        return "subsystem " + SubsystemCalls.name(subsystem);
    }
}
