package dev.fairlead.adapter.freenas.store.snapshot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Makes the calls on snapshots. On 26 the usual query answers no user properties, so another one is asked there. */
public record SnapshotCalls(TruenasApi api) {
    private static final List<String> NATIVE = List.of("creation", "referenced", "logicalreferenced", "volsize");

    private static final String PUT_OFF = "defer_destroy";

    /** Returns a snapshot with its properties. */
    public Optional<SnapshotEntry> find(SnapshotName name, Work work) {
        List<SnapshotEntry> found = asksResources(work)
                ? resources(name.toString(), false, work)
                : list(ApiQuery.of("id", name.toString()), work);
        return found.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** Returns the snapshots of a dataset. */
    public List<SnapshotEntry> of(DatasetName dataset, Work work) {
        List<SnapshotEntry> found = asksResources(work)
                ? resources(dataset.value(), false, work)
                : list(ApiQuery.of("dataset", dataset.value()), work);
        return found.stream()
                .filter(entry -> entry.name().dataset().equals(dataset))
                .toList();
    }

    /** Returns the snapshots of all datasets below this one. */
    public List<SnapshotEntry> below(DatasetName parent, Work work) {
        return asksResources(work)
                ? resources(parent.value(), true, work)
                : list(ApiQuery.all().where("dataset", "^", new JsonPrimitive(parent + "/")), work);
    }

    private boolean asksResources(Work work) {
        return api.has(ApiAction.RESOURCE_SNAPSHOT_QUERY, work);
    }

    /**
     * Reads snapshots in pages, with all their properties: whether a box tells those of users if it is asked for some
     * of ZFS' own alone is not documented.
     */
    private List<SnapshotEntry> list(ApiQuery query, Work work) {
        return read(query.extra("holds", true), work);
    }

    private List<SnapshotEntry> read(ApiQuery query, Work work) {
        return api.listInPages(ApiCollection.SNAPSHOT, query, work).stream()
                .flatMap(json -> SnapshotEntry.read(json).stream())
                .toList();
    }

    private List<SnapshotEntry> resources(String path, boolean recursive, Work work) {
        var data = new JsonObject();
        var paths = new JsonArray();
        paths.add(path);
        data.add("paths", paths);
        data.addProperty("recursive", recursive);
        var properties = new JsonArray();
        NATIVE.forEach(properties::add);
        data.add("properties", properties);
        data.addProperty("get_user_properties", true);
        data.addProperty("get_holds", true);
        ApiResult result = api.query(ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_QUERY, data), work);
        if (result instanceof ApiResult.Refused refused && refused.isAbsent()) {
            return List.of();
        }
        JsonElement all = result.orThrow();
        List<SnapshotEntry> found = !all.isJsonArray()
                ? List.of()
                : StreamSupport.stream(all.getAsJsonArray().spliterator(), false)
                        .filter(JsonElement::isJsonObject)
                        .flatMap(each -> SnapshotEntry.read(each.getAsJsonObject()).stream())
                        .toList();
        return found.isEmpty() ? found : withPutOff(found, path, recursive, work);
    }

    /** Adds what only the usual query says: which snapshots were deleted while clones still need them. */
    private List<SnapshotEntry> withPutOff(List<SnapshotEntry> found, String path, boolean recursive, Work work) {
        ApiQuery query = recursive
                ? ApiQuery.all().where("dataset", "^", new JsonPrimitive(path + "/"))
                : ApiQuery.of(path.contains("@") ? "id" : "dataset", path);
        Map<SnapshotName, Property> putOff = new HashMap<>();
        var only = new JsonArray();
        only.add(PUT_OFF);
        read(query.extra("properties", only), work)
                .forEach(entry -> Optional.ofNullable(entry.rows().get(PUT_OFF))
                        .ifPresent(property -> putOff.put(entry.name(), property)));
        return found.stream()
                .map(entry -> Optional.ofNullable(putOff.get(entry.name()))
                        .map(property -> entry.with(PUT_OFF, property))
                        .orElse(entry))
                .toList();
    }

    /** Takes a snapshot with its properties, which are set in the same step. */
    public ApiResult create(SnapshotName name, Map<String, String> properties, Work work) {
        var fields = new JsonObject();
        fields.addProperty("dataset", name.dataset().value());
        fields.addProperty("name", name.name());
        if (!properties.isEmpty()) {
            fields.add("properties", texts(properties));
        }
        return api.change(ApiCall.create(ApiCollection.SNAPSHOT, fields), name.toString(), work);
    }

    /** @param deferred whether it stays, out of reach, as long as clones need it */
    public ApiResult delete(SnapshotName name, boolean deferred, Work work) {
        return api.change(deletion(name, deferred), name.toString(), work);
    }

    /** Deletes a snapshot by a call that is sent within this time or not at all. */
    public ApiResult delete(SnapshotName name, boolean deferred, Duration left, Work work) {
        return api.change(deletion(name, deferred).sentWithin(left), name.toString(), work);
    }

    private static ApiCall deletion(SnapshotName name, boolean deferred) {
        var options = new JsonObject();
        options.addProperty("defer", deferred);
        return ApiCall.delete(ApiCollection.SNAPSHOT, name.toString(), options);
    }

    /** Makes a dataset of a snapshot; 26 sets no user properties then. */
    public ApiResult clone(SnapshotName from, DatasetName to, Map<String, String> properties, Work work) {
        var fields = new JsonObject();
        fields.addProperty("snapshot", from.toString());
        fields.addProperty("dataset_dst", to.value());
        if (!properties.isEmpty()) {
            fields.add("dataset_properties", texts(properties));
        }
        return api.change(ApiCall.of(ApiAction.SNAPSHOT_CLONE, fields), to.value(), work);
    }

    private static JsonObject texts(Map<String, String> properties) {
        var json = new JsonObject();
        properties.forEach(json::addProperty);
        return json;
    }
}
