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
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Makes the calls on snapshots. On 26 the usual query answers no user properties, so another one is asked there. */
public record SnapshotCalls(TruenasApi api) {
    private static final List<String> NATIVE = List.of("creation", "referenced", "logicalreferenced", "volsize");

    private static final String PUT_OFF = "defer_destroy";

    private static final int MOST_ROUNDS = 3;

    /** The most snapshots that are described by one call, and the most bytes of their names: a box takes 64 KiB. */
    private static final int MOST_NAMES = 200;

    private static final int MOST_BYTES = 48 << 10;

    /** The length of what is around a name in a list. */
    private static final int QUOTES = 3;

    /** Returns a snapshot with its properties. */
    public Optional<SnapshotEntry> find(SnapshotName name, Work work) {
        List<SnapshotEntry> found =
                asksResources(work) ? resource(name, work) : list(ApiQuery.of("id", name.toString()), work);
        return found.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** Returns the snapshots of a dataset. */
    public List<SnapshotEntry> of(DatasetName dataset, Work work) {
        ApiQuery query = ApiQuery.of("dataset", dataset.value());
        return asksResources(work)
                ? resources(dataset, () -> of(dataset, usual(query, work)), work)
                : of(dataset, list(query, work));
    }

    private static List<SnapshotEntry> of(DatasetName dataset, List<SnapshotEntry> found) {
        return found.stream()
                .filter(entry -> entry.name().dataset().equals(dataset))
                .toList();
    }

    /** Returns the snapshots of all datasets below this one. */
    public List<SnapshotEntry> below(DatasetName parent, Work work) {
        ApiQuery query = ApiQuery.all().where("dataset", "^", new JsonPrimitive(parent + "/"));
        return asksResources(work) ? resources(parent, () -> usual(query, work), work) : list(query, work);
    }

    /**
     * Returns the snapshots of a parent and of the datasets below it whose names match, by a query that the box
     * filters.
     *
     * @param names a regular expression that the whole name matches
     */
    public List<SnapshotEntry> named(DatasetName parent, String names, Work work) {
        ApiQuery query = ApiQuery.all()
                .where("dataset", "^", new JsonPrimitive(parent.value()))
                .where("snapshot_name", "~", new JsonPrimitive("^(" + names + ")$"));
        return asksResources(work)
                ? resources(parent, () -> within(parent, usual(query, work)), work)
                : within(parent, list(query, work));
    }

    private static List<SnapshotEntry> within(DatasetName parent, List<SnapshotEntry> found) {
        return found.stream()
                .filter(entry -> entry.name().dataset().equals(parent)
                        || entry.name().dataset().isBelow(parent))
                .toList();
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

    /** Reads what only the usual query says, in pages. */
    private List<SnapshotEntry> usual(ApiQuery query, Work work) {
        return read(query.extra("properties", onlyPutOff()), work);
    }

    private List<SnapshotEntry> resource(SnapshotName name, Work work) {
        List<SnapshotEntry> found = described(List.of(name.toString()), work).orElse(List.of());
        return found.isEmpty() ? found : withPutOff(found, usual(ApiQuery.of("id", name.toString()), work));
    }

    /**
     * Describes the snapshots that a usual query finds, in portions, since one answer of all of them may be too long.
     * What goes meanwhile has a portion refused, which is asked for anew without it.
     */
    private List<SnapshotEntry> resources(DatasetName top, Supplier<List<SnapshotEntry>> usual, Work work) {
        Set<String> answered = new HashSet<>();
        List<SnapshotEntry> known = new ArrayList<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<SnapshotEntry> there = usual.get();
            Set<String> names =
                    there.stream().map(entry -> entry.name().toString()).collect(Collectors.toCollection(TreeSet::new));
            for (List<String> portion : portions(
                    names.stream().filter(name -> !answered.contains(name)).toList())) {
                described(portion, work).ifPresent(all -> {
                    answered.addAll(portion);
                    known.addAll(all);
                });
            }
            if (answered.containsAll(names)) {
                known.removeIf(entry -> !names.contains(entry.name().toString()));
                return withPutOff(known, there);
            }
        }
        throw new StorageException(new Failure.BackendUnavailable(
                api.connection(), "snapshots below " + top + " come and go while they are looked for; ask again"));
    }

    private static List<List<String>> portions(List<String> names) {
        List<List<String>> portions = new ArrayList<>();
        int bytes = MOST_BYTES;
        for (String name : names) {
            if (bytes + name.length() > MOST_BYTES || portions.getLast().size() == MOST_NAMES) {
                portions.add(new ArrayList<>());
                bytes = 0;
            }
            portions.getLast().add(name);
            bytes += name.length() + QUOTES;
        }
        return portions;
    }

    /** Returns what 26 tells of these snapshots; empty if one of them is not there. */
    private Optional<List<SnapshotEntry>> described(List<String> names, Work work) {
        var data = new JsonObject();
        data.add("paths", array(names));
        data.addProperty("recursive", false);
        data.add("properties", array(NATIVE));
        data.addProperty("get_user_properties", true);
        data.addProperty("get_holds", true);
        ApiResult result = api.query(ApiCall.of(ApiAction.RESOURCE_SNAPSHOT_QUERY, data), work);
        if (result instanceof ApiResult.Refused refused && refused.isAbsent()) {
            return Optional.empty();
        }
        JsonElement all = result.orThrow();
        return Optional.of(
                !all.isJsonArray()
                        ? List.of()
                        : StreamSupport.stream(all.getAsJsonArray().spliterator(), false)
                                .filter(JsonElement::isJsonObject)
                                .flatMap(each -> SnapshotEntry.read(each.getAsJsonObject()).stream())
                                .toList());
    }

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    private static JsonArray onlyPutOff() {
        return array(List.of(PUT_OFF));
    }

    /** Adds what only the usual query says: which snapshots were deleted while clones still need them. */
    private static List<SnapshotEntry> withPutOff(List<SnapshotEntry> found, List<SnapshotEntry> usual) {
        Map<SnapshotName, Property> putOff = new HashMap<>();
        usual.forEach(entry -> Optional.ofNullable(entry.rows().get(PUT_OFF))
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

    private static JsonObject texts(Map<String, String> properties) {
        var json = new JsonObject();
        properties.forEach(json::addProperty);
        return json;
    }
}
