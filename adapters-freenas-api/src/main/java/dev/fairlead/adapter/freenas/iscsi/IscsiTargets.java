package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.GrantedNodes;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Shows each volume as the one extent of a target of its own, with the names that democratic-csi gives them, and takes
 * them away again. A target is made without any way to it and is opened last: what a call makes late lets nobody in.
 */
record IscsiTargets(TargetCalls calls, TargetAccess access, InitiatorGroups groups) {
    private static final int LUN = 0;

    static IscsiTargets of(ExportRows rows) {
        var calls = new TargetCalls(rows);
        var groups = new InitiatorGroups(rows);
        return new IscsiTargets(calls, new TargetAccess(calls, groups), groups);
    }

    /** Holds the rows by which a volume is shown. */
    record Shown(JsonObject target, JsonObject extent, JsonObject link) {
        int lun() {
            return Json.number(link, "lunid").map(Math::toIntExact).orElse(LUN);
        }
    }

    /**
     * Shows a volume to nobody yet, or finds it shown.
     *
     * @param extent the fields of its extent, its name among them, which the target has too
     * @throws StorageException {@code NotOurs} if a target or extent of that name leads to something else, or something
     *     else to the volume
     */
    Shown show(String volume, JsonObject extent, String disk, Work work) {
        String name = TargetCalls.name(extent);
        Optional<JsonObject> there = calls.target(name, work);
        Optional<JsonObject> device = calls.extents(disk, work).stream().findFirst();
        device.filter(found -> !TargetCalls.name(found).equals(name)).ifPresent(found -> {
            throw notOurs(volume, "the iSCSI extent " + TargetCalls.name(found) + " of its device");
        });
        if (device.isEmpty() && calls.extent(name, work).isPresent()) {
            throw notOurs(volume, "the iSCSI extent " + name + ", which shows another device");
        }
        there.ifPresent(target -> requireOnly(volume, target, device, work));
        JsonObject target = there.orElseGet(() -> calls.makeTarget(name, work));
        JsonObject shown = device.orElseGet(() -> calls.makeExtent(extent, disk, work));
        return new Shown(target, shown, link(volume, target, shown, device.isPresent(), work));
    }

    /** Shows a new volume to nobody yet, without a look; looks if the box refuses. */
    Shown showNew(String volume, JsonObject extent, String disk, Work work) {
        Optional<JsonObject> target = calls.makeNewTarget(TargetCalls.name(extent), work);
        Optional<JsonObject> device = target.flatMap(_ -> calls.makeNewExtent(extent, work));
        return device.map(made ->
                        new Shown(target.orElseThrow(), made, link(volume, target.orElseThrow(), made, false, work)))
                .orElseGet(() -> show(volume, extent, disk, work));
    }

    private void requireOnly(String volume, JsonObject target, Optional<JsonObject> extent, Work work) {
        boolean others = calls.linksOfTarget(target, work).stream()
                .anyMatch(link -> extent.filter(only -> ExportRows.id(only) == TargetCalls.extentOf(link))
                        .isEmpty());
        if (others) {
            throw notOurs(volume, "the iSCSI target " + TargetCalls.name(target) + ", which leads to another extent");
        }
    }

    /** @param mayBeThere whether the extent was found, so that it may have a link, which no extent is made with */
    private JsonObject link(String volume, JsonObject target, JsonObject extent, boolean mayBeThere, Work work) {
        List<JsonObject> there = mayBeThere ? calls.linksOfExtent(extent, work) : List.of();
        JsonObject link = there.stream().findFirst().orElseGet(() -> calls.makeLink(target, extent, LUN, work));
        if (TargetCalls.targetOf(link) != ExportRows.id(target)) {
            throw notOurs(volume, "another iSCSI target, which leads to its extent " + TargetCalls.name(extent));
        }
        return link;
    }

    private static StorageException notOurs(String volume, String found) {
        return new StorageException(new Failure.NotOurs(volume, found));
    }

    /**
     * Shuts all but these nodes out of every target that leads to a volume, and of one of its name that leads nowhere
     * yet. Those who remain keep the ways that they have. A target that leads to other extents too, or that is not ours
     * by its name or its groups, leads to the volume no more: its ways are those of an administrator.
     */
    void revoke(Optional<String> name, String disk, Set<String> remaining, Work work) {
        List<JsonObject> extents = calls.extents(disk, work);
        for (JsonObject target : ofVolume(name, extents, work)) {
            List<TargetGroup> ways = TargetCalls.groups(target);
            if (!isOurs(target, name, work) || leadsElsewhere(target, extents, work)) {
                unlink(target, calls.linksOfTarget(target, work), extents, work);
            } else if (remaining.isEmpty()) {
                access.revoke(target, ways, remaining, work);
            } else {
                GrantedNodes.shutOut(
                        remaining, groups.members(ways, work), kept -> access.revoke(target, ways, kept, work));
            }
        }
    }

    /**
     * Says whether a target has the volume's name, or names a group that we made for it, perhaps by another name. If
     * the volume's name is not known, all targets are taken for ours.
     */
    private boolean isOurs(JsonObject target, Optional<String> name, Work work) {
        String now = TargetCalls.name(target);
        return name.filter(made -> !made.equals(now)).isEmpty()
                || Stream.concat(name.stream(), Stream.of(now))
                        .anyMatch(made -> groups.areAmong(made, TargetCalls.groups(target), work));
    }

    private boolean leadsElsewhere(JsonObject target, List<JsonObject> extents, Work work) {
        return calls.linksOfTarget(target, work).stream().anyMatch(link -> !leadsTo(link, extents));
    }

    private static boolean leadsTo(JsonObject link, List<JsonObject> extents) {
        return extents.stream().anyMatch(extent -> ExportRows.id(extent) == TargetCalls.extentOf(link));
    }

    private void unlink(JsonObject target, List<JsonObject> links, List<JsonObject> extents, Work work) {
        links.stream().filter(link -> leadsTo(link, extents)).forEach(link -> calls.deleteLink(link, target, work));
    }

    private List<JsonObject> ofVolume(Optional<String> name, List<JsonObject> extents, Work work) {
        List<JsonObject> targets = new ArrayList<>(calls.leadingTo(extents, work));
        name.filter(text -> targets.stream()
                        .noneMatch(known -> TargetCalls.name(known).equals(text)))
                .flatMap(text -> calls.target(text, work))
                .filter(target -> calls.linksOfTarget(target, work).isEmpty())
                .ifPresent(targets::add);
        return targets;
    }

    /**
     * Takes away all that leads to a volume: its targets, then its extent, and the groups of initiators after the
     * targets that they are of. A target that leads to other volumes too stays, without this one, and so does one that
     * is not ours by its name or its groups.
     */
    void remove(Optional<String> name, String disk, Work work) {
        List<String> gone = new ArrayList<>(name.stream().toList());
        List<JsonObject> extents = calls.extents(disk, work);
        leading(name, extents, work).forEach((target, links) -> {
            if (remove(target, links, name, extents, work)) {
                gone.add(TargetCalls.name(target));
            }
        });
        for (JsonObject extent : extents) {
            calls.deleteExtent(extent, work);
        }
        if (!calls.extents(disk, work).isEmpty()) {
            throw calls.rows().unavailable("the extent of " + disk + " was deleted, and is there again");
        }
        gone.stream().distinct().forEach(target -> access.forget(target, work));
    }

    /**
     * Returns the targets of a volume, each with its links: that of its name alone if it leads to all the extents,
     * since a link to an extent goes with it; otherwise all that lead to them.
     */
    private Map<JsonObject, List<JsonObject>> leading(Optional<String> name, List<JsonObject> extents, Work work) {
        Map<JsonObject, List<JsonObject>> all = new LinkedHashMap<>();
        name.flatMap(text -> calls.target(text, work))
                .ifPresent(target -> all.put(target, calls.linksOfTarget(target, work)));
        boolean isAll = !extents.isEmpty()
                && extents.stream()
                        .allMatch(extent -> all.values().stream()
                                .flatMap(List::stream)
                                .anyMatch(link -> leadsTo(link, List.of(extent))));
        if (isAll) {
            return all;
        }
        all.values().removeIf(links -> !links.isEmpty());
        calls.leadingTo(extents, work).forEach(target -> all.put(target, calls.linksOfTarget(target, work)));
        return all;
    }

    /** Removes a target of ours, or only what leads from it to these extents; returns whether it is gone. */
    private boolean remove(
            JsonObject target, List<JsonObject> links, Optional<String> name, List<JsonObject> extents, Work work) {
        if (!isOurs(target, name, work) || links.stream().anyMatch(link -> !leadsTo(link, extents))) {
            unlink(target, links, extents, work);
            return false;
        }
        calls.deleteTarget(target, work);
        if (calls.target(ExportRows.id(target), work).isPresent()) {
            throw calls.rows().untrue("target " + TargetCalls.name(target) + " was deleted, and is still there");
        }
        return true;
    }
}
