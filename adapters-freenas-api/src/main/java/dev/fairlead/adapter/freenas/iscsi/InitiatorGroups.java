package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Makes the groups of initiators by which closed volumes are reached. Each is named after one target, by its comment,
 * and is used by no other.
 *
 * <p>A group is never changed, and never used again: each change of a target makes a group of its own, gives it to the
 * target, reads that back, and deletes those that are older. So a deletion that a box does late never takes the group
 * that a target names, by which it would let everybody in; and a late change of a target names a group that is gone,
 * and the box refuses it. Groups that are newer than the target's are another controller's, who is about to use them.
 */
record InitiatorGroups(ExportRows rows) {
    private static final String COMMENT = "comment";
    private static final String INITIATORS = "initiators";

    private static String comment(String target) {
        return "fairlead: nodes of " + target;
    }

    /** Makes a group of exactly these nodes, of whom there is at least one, and returns its number. */
    long make(String target, Set<String> nodes, Work work) {
        var names = new JsonArray();
        nodes.forEach(names::add);
        var fields = new JsonObject();
        fields.add(INITIATORS, names);
        fields.addProperty(COMMENT, comment(target));
        ApiResult made = rows.api()
                .change(ApiCall.create(ApiCollection.ISCSI_INITIATOR, fields), "initiators of " + target, work);
        JsonElement answer = made.orThrow();
        long id = answer.isJsonObject() ? ExportRows.id(answer.getAsJsonObject()) : 0;
        if (!isOf(target, id, nodes, work)) {
            throw rows.untrue("the initiators of " + target + " were made, and are not there when they are read back");
        }
        return id;
    }

    private boolean isOf(String target, long id, Set<String> nodes, Work work) {
        return all(target, work).stream()
                .anyMatch(group ->
                        ExportRows.id(group) == id && new TreeSet<>(Json.texts(group, INITIATORS)).equals(nodes));
    }

    /** Returns the newest group of a target if it is of exactly these nodes: one that no deletion is about. */
    Optional<Long> newest(String target, Set<String> nodes, Work work) {
        List<JsonObject> groups = all(target, work);
        return groups.isEmpty()
                ? Optional.empty()
                : Optional.of(groups.getLast())
                        .filter(group -> new TreeSet<>(Json.texts(group, INITIATORS)).equals(nodes))
                        .map(ExportRows::id);
    }

    /**
     * Returns the nodes that these ways let in; empty for everybody, whom a group that is gone or has no names lets in.
     */
    Optional<Set<String>> members(List<TargetGroup> ways, Work work) {
        Set<String> nodes = new TreeSet<>();
        for (TargetGroup way : ways) {
            List<String> names = way.initiator()
                    .flatMap(id -> rows.api().find(ApiCollection.ISCSI_INITIATOR, id, work))
                    .map(group -> Json.texts(group, INITIATORS))
                    .orElse(List.of());
            if (names.isEmpty()) {
                return Optional.empty();
            }
            nodes.addAll(names);
        }
        return Optional.of(nodes);
    }

    private List<JsonObject> all(String target, Work work) {
        return rows.of(ApiCollection.ISCSI_INITIATOR, COMMENT, comment(target), work);
    }

    /** Says whether one of these ways is for a group of ours. */
    boolean areAmong(String target, List<TargetGroup> ways, Work work) {
        return all(target, work).stream()
                .anyMatch(group -> ways.stream()
                        .anyMatch(way -> way.initiator()
                                .filter(id -> id == ExportRows.id(group))
                                .isPresent()));
    }

    /**
     * Deletes the groups of a target that are older than one. A box lets everybody in by a target whose group is
     * deleted, so the target has to have gone before, or to name that one.
     *
     * @param kept empty for all groups
     * @param isSafe says before each deletion whether the target is still so
     * @return whether there were any
     */
    boolean deleteOlder(String target, Optional<Long> kept, BooleanSupplier isSafe, Work work) {
        List<JsonObject> older = all(target, work).stream()
                .filter(group -> kept.filter(id -> id <= ExportRows.id(group)).isEmpty())
                .toList();
        for (JsonObject group : older) {
            if (!isSafe.getAsBoolean()) {
                return true;
            }
            rows.delete(ApiCollection.ISCSI_INITIATOR, group, "initiators of " + target, work);
        }
        return !older.isEmpty();
    }
}
