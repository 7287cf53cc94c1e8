package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes the calls on targets, extents, and the links between them. */
record TargetCalls(ExportRows rows) {
    private static final String NAME = "name";
    private static final String TARGET = "target";
    private static final String EXTENT = "extent";

    Optional<JsonObject> target(String name, Work work) {
        return rows.of(ApiCollection.ISCSI_TARGET, NAME, name, work).stream().findFirst();
    }

    Optional<JsonObject> target(long id, Work work) {
        return rows.api().find(ApiCollection.ISCSI_TARGET, id, work);
    }

    /** Returns the names and the ways of all targets of the box. */
    List<JsonObject> targets(Work work) {
        return rows.where(ApiCollection.ISCSI_TARGET, ApiQuery.all().select("id", NAME, "groups"), _ -> true, work);
    }

    /** Returns the extents of a volume, of which the box allows one. */
    List<JsonObject> extents(String disk, Work work) {
        return rows.of(ApiCollection.ISCSI_EXTENT, "disk", disk, work);
    }

    Optional<JsonObject> extent(String name, Work work) {
        return rows.of(ApiCollection.ISCSI_EXTENT, NAME, name, work).stream().findFirst();
    }

    List<JsonObject> linksOfTarget(JsonObject target, Work work) {
        return rows.of(ApiCollection.ISCSI_TARGETEXTENT, TARGET, ExportRows.id(target), work);
    }

    List<JsonObject> linksOfExtent(JsonObject extent, Work work) {
        return rows.of(ApiCollection.ISCSI_TARGETEXTENT, EXTENT, ExportRows.id(extent), work);
    }

    /** Returns the targets that lead to a volume by these extents, whatever their names. */
    List<JsonObject> leadingTo(List<JsonObject> extents, Work work) {
        return extents.stream()
                .flatMap(extent -> linksOfExtent(extent, work).stream())
                .flatMap(link -> target(targetOf(link), work).stream())
                .toList();
    }

    static long targetOf(JsonObject link) {
        return Json.number(link, TARGET).orElse(0L);
    }

    static long extentOf(JsonObject link) {
        return Json.number(link, EXTENT).orElse(0L);
    }

    static String name(JsonObject row) {
        return Json.text(row, NAME).orElse("");
    }

    /** Returns the ways to a target, in the order of their portal groups. */
    static List<TargetGroup> groups(JsonObject target) {
        return Json.objects(target, "groups").stream()
                .map(TargetGroup::read)
                .sorted(Comparator.comparingLong(TargetGroup::portal))
                .toList();
    }

    /** Makes a target without ways, by which nobody reaches it, or finds it. */
    JsonObject makeTarget(String name, Work work) {
        return rows.make(ApiCollection.ISCSI_TARGET, closed(name), "target " + name, () -> target(name, work), work);
    }

    /** Makes such a target if none of its name is there. */
    Optional<JsonObject> makeNewTarget(String name, Work work) {
        return rows.makeNew(ApiCollection.ISCSI_TARGET, closed(name), "target " + name, work);
    }

    private static JsonObject closed(String name) {
        var fields = new JsonObject();
        fields.addProperty(NAME, name);
        fields.add("alias", JsonNull.INSTANCE);
        fields.addProperty("mode", "ISCSI");
        fields.add("groups", new JsonArray());
        return fields;
    }

    /** Makes an extent if none of its name and device is there. */
    Optional<JsonObject> makeNewExtent(JsonObject fields, Work work) {
        return rows.makeNew(ApiCollection.ISCSI_EXTENT, fields, "extent " + name(fields), work);
    }

    JsonObject makeExtent(JsonObject fields, String disk, Work work) {
        return rows.make(
                ApiCollection.ISCSI_EXTENT,
                fields,
                "extent " + name(fields),
                () -> extents(disk, work).stream().findFirst(),
                work);
    }

    JsonObject makeLink(JsonObject target, JsonObject extent, int lun, Work work) {
        var fields = new JsonObject();
        fields.addProperty(TARGET, ExportRows.id(target));
        fields.addProperty(EXTENT, ExportRows.id(extent));
        fields.addProperty("lunid", lun);
        return rows.make(
                ApiCollection.ISCSI_TARGETEXTENT,
                fields,
                "LUN of target " + name(target),
                () -> linksOfExtent(extent, work).stream().findFirst(),
                work);
    }

    /** Says by which ways a target is reached; by none, nobody reaches it. */
    void setGroups(JsonObject target, Collection<TargetGroup> groups, Work work) {
        setGroups(target, groups, () -> {}, work);
    }

    void setGroups(JsonObject target, Collection<TargetGroup> groups, Runnable afterRefusal, Work work) {
        var fields = new JsonObject();
        fields.add("groups", json(groups));
        rows.update(ApiCollection.ISCSI_TARGET, target, fields, "target " + name(target), afterRefusal, work);
    }

    private static JsonElement json(Collection<TargetGroup> groups) {
        var array = new JsonArray();
        groups.forEach(group -> array.add(group.json()));
        return array;
    }

    void deleteTarget(JsonObject target, Work work) {
        rows.delete(ApiCollection.ISCSI_TARGET, target, "target " + name(target), work);
    }

    void deleteExtent(JsonObject extent, Work work) {
        rows.delete(ApiCollection.ISCSI_EXTENT, extent, "extent " + name(extent), work);
    }

    void deleteLink(JsonObject link, JsonObject target, Work work) {
        rows.delete(ApiCollection.ISCSI_TARGETEXTENT, link, "LUN of target " + name(target), work);
    }
}
