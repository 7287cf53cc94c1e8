package dev.fairlead.adapter.freenas.store.snapshot;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the calls on snapshots. */
public record SnapshotCalls(TruenasApi api) {
    /** Returns a snapshot with its properties. */
    public Optional<SnapshotEntry> find(SnapshotName name, Work work) {
        return search().find(name, work);
    }

    /** Returns the snapshots of a dataset. */
    public List<SnapshotEntry> of(DatasetName dataset, Work work) {
        return search().of(dataset, work);
    }

    /**
     * Returns those of the snapshots of a dataset that have one of these names: the box does not read its others.
     *
     * @param wanted what is behind the @
     */
    public List<SnapshotEntry> of(DatasetName dataset, Set<String> wanted, Work work) {
        return wanted.isEmpty() ? List.of() : search().of(dataset, wanted, work);
    }

    /**
     * Returns those of the snapshots of a dataset that are still there.
     *
     * @param seen their names, as the dataset was read with them
     */
    public List<SnapshotEntry> of(DatasetName dataset, List<String> seen, Work work) {
        return search().of(dataset, seen, work);
    }

    /** Returns the snapshots of all datasets below this one. */
    public List<SnapshotEntry> below(DatasetName parent, Work work) {
        return search().below(parent, work);
    }

    /**
     * Returns the snapshots of a parent and of the datasets below it whose names match, by a query that the box
     * filters.
     *
     * @param names a regular expression that the whole name matches
     */
    public List<SnapshotEntry> named(DatasetName parent, String names, Work work) {
        return search().named(parent, names, work);
    }

    private SnapshotSearch search() {
        return new SnapshotSearch(api);
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

    /**
     * Takes snapshots of all datasets below a parent, and of the parent itself, by one name and at one instant. A box
     * of 26 marks them in the same step; one before it takes no marks beside an exclusion.
     *
     * @param excluded the names of the datasets that are left out
     */
    public ApiResult createAll(
            DatasetName parent, String name, List<String> excluded, Map<String, String> properties, Work work) {
        var fields = new JsonObject();
        fields.addProperty("dataset", parent.value());
        fields.addProperty("name", name);
        fields.addProperty("recursive", true);
        if (!excluded.isEmpty()) {
            fields.add("exclude", array(excluded));
        }
        String target = parent + "@" + name;
        if (marksGroups(work)) {
            fields.add("user_properties", texts(properties));
            return api.change(ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_CREATE, fields), target, work);
        }
        return api.change(ApiCall.create(ApiCollection.SNAPSHOT, fields), target, work);
    }

    /** Says whether a box marks the snapshots of a group when it takes them; one that does cannot mark them later. */
    public boolean marksGroups(Work work) {
        return api.has(ApiAction.RESOURCE_SNAPSHOT_CREATE, work);
    }

    /** Sets user properties of a snapshot; 26 does nothing then. */
    public ApiResult update(SnapshotName name, Map<String, String> properties, Work work) {
        return api.change(
                ApiCall.update(ApiCollection.SNAPSHOT, name.toString(), DatasetFields.updated(properties)),
                name.toString(),
                work);
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

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    private static JsonObject texts(Map<String, String> properties) {
        var json = new JsonObject();
        properties.forEach(json::addProperty);
        return json;
    }
}
