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
import java.util.UUID;

/**
 * Makes the groups of initiators by which closed volumes are reached. Each is named after one target, by its comment,
 * and is used by no other.
 *
 * <p>A box lets everybody in by a target whose group is deleted. So a group is given to its target by one call, and
 * never again: whoever has seen a target name a group knows that no other call that gives it is under way, and may
 * delete the group once the target names another one. A group that nobody has seen given may be given late, by a call
 * that was cut: it stays as long as its target does, and is kept to the nodes that the target lets in, so that it does
 * not matter when that call comes.
 */
record InitiatorGroups(ExportRows rows) {
    private static final String COMMENT = "comment";
    private static final String INITIATORS = "initiators";

    /** Begins the name of an initiator that does not exist: a group without names would let everybody in. */
    private static final String NOBODY = "iqn.2025-01.dev.fairlead:nobody-";

    private static String comment(String target) {
        return "fairlead: nodes of " + target;
    }

    /** Makes a group of exactly these nodes, of whom there is at least one, and returns its number. */
    long make(String target, Set<String> nodes, Work work) {
        JsonObject fields = initiators(nodes);
        fields.addProperty(COMMENT, comment(target));
        ApiResult made = rows.api()
                .change(ApiCall.create(ApiCollection.ISCSI_INITIATOR, fields), "initiators of " + target, work);
        JsonElement answer = made.orThrow();
        long id = answer.isJsonObject() ? ExportRows.id(answer.getAsJsonObject()) : 0;
        if (!isOf(all(target, work), id, nodes)) {
            throw rows.untrue("the initiators of " + target + " were made, and are not there when they are read back");
        }
        return id;
    }

    private static JsonObject initiators(Set<String> nodes) {
        var names = new JsonArray();
        nodes.forEach(names::add);
        var fields = new JsonObject();
        fields.add(INITIATORS, names);
        return fields;
    }

    /** Says whether a group is among these, and is of exactly these nodes. */
    static boolean isOf(List<JsonObject> groups, long id, Set<String> nodes) {
        return groups.stream()
                .anyMatch(group -> ExportRows.id(group) == id && members(group).equals(nodes));
    }

    private static Set<String> members(JsonObject group) {
        return new TreeSet<>(Json.texts(group, INITIATORS));
    }

    /**
     * Returns the nodes that these ways let in; empty for everybody, whom a group that is gone or has no names lets in.
     */
    Optional<Set<String>> members(List<TargetGroup> ways, Work work) {
        Set<String> nodes = new TreeSet<>();
        for (TargetGroup way : ways) {
            Set<String> names = way.initiator()
                    .flatMap(id -> rows.api().find(ApiCollection.ISCSI_INITIATOR, id, work))
                    .map(InitiatorGroups::members)
                    .orElse(Set.of());
            if (names.isEmpty()) {
                return Optional.empty();
            }
            nodes.addAll(names);
        }
        return Optional.of(nodes);
    }

    /** Returns the groups of a target, the oldest first. */
    List<JsonObject> all(String target, Work work) {
        return rows.of(ApiCollection.ISCSI_INITIATOR, COMMENT, comment(target), work);
    }

    /** Returns those of these groups that one of the ways is for. */
    static List<JsonObject> named(List<JsonObject> groups, List<TargetGroup> ways) {
        return groups.stream()
                .filter(group -> ways.stream().anyMatch(way -> way.isFor(ExportRows.id(group))))
                .toList();
    }

    /** Says whether one of these ways is for a group of ours. */
    boolean areAmong(String target, List<TargetGroup> ways, Work work) {
        return !named(all(target, work), ways).isEmpty();
    }

    /** Keeps groups to these nodes, or to nobody; returns whether one was of others. */
    boolean keepTo(Set<String> nodes, List<JsonObject> groups, String target, Work work) {
        List<JsonObject> others =
                groups.stream().filter(group -> !isKeptTo(nodes, group)).toList();
        for (JsonObject group : others) {
            Set<String> names = nodes.isEmpty() ? Set.of(NOBODY + UUID.randomUUID()) : nodes;
            rows.update(ApiCollection.ISCSI_INITIATOR, group, initiators(names), "initiators of " + target, work);
        }
        return !others.isEmpty();
    }

    private static boolean isKeptTo(Set<String> nodes, JsonObject group) {
        Set<String> members = members(group);
        return nodes.isEmpty()
                ? !members.isEmpty() && members.stream().allMatch(name -> name.startsWith(NOBODY))
                : members.equals(nodes);
    }

    /** Deletes a group that no target names, and that no call under way gives to one. */
    void delete(JsonObject group, String target, Work work) {
        rows.delete(ApiCollection.ISCSI_INITIATOR, group, "initiators of " + target, work);
    }
}
