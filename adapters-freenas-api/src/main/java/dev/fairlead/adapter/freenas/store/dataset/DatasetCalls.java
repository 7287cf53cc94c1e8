package dev.fairlead.adapter.freenas.store.dataset;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Makes the calls of {@code pool.dataset}. Nothing is ever deleted with what hangs on it. */
public record DatasetCalls(TruenasApi api) {
    private static final String ID = "id";
    private static final int MOST_REMOVALS = 3;

    /** The properties of which the API answers no more than it is asked for, since a list of them may be long. */
    private static final List<String> ASKED = List.of(
            "mountpoint", "volsize", "volblocksize", "refquota", "refreservation", "origin", "creation", "available");

    /** Returns the dataset of this name; empty if the box has none, whatever the reason. */
    public Optional<DatasetEntry> find(DatasetName name, Work work) {
        return each(List.of(name), work).stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst();
    }

    /** Returns those of these datasets that there are, by one query. */
    public List<DatasetEntry> each(Collection<DatasetName> names, Work work) {
        return list(
                (names.size() == 1
                                ? ApiQuery.of(ID, names.iterator().next().value())
                                : ApiQuery.all().where(ID, "in", texts(names)))
                        .extra("retrieve_children", false),
                work);
    }

    /**
     * Returns the dataset with the names of its snapshots and children. From 25.10 on a query for datasets with
     * snapshots reads all snapshots of the box, so they are asked for by another one.
     */
    public Optional<DatasetEntry> findWithDependents(DatasetName name, Work work) {
        boolean apart = api.has(ApiAction.RESOURCE_QUERY, work);
        ApiQuery query = ApiQuery.of(ID, name.value()).extra("retrieve_children", true);
        return list(apart ? query : query.extra("snapshots", true), work).stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .map(entry -> apart ? entry.with(snapshotNames(name, work)) : entry);
    }

    /**
     * Returns the names of a dataset's snapshots. A box that is asked so reads those of no other dataset, or, before
     * 25.04, nothing but names.
     */
    public List<String> snapshotNames(DatasetName dataset, Work work) {
        var listed = new JsonArray();
        listed.add("createtxg");
        ApiQuery query = ApiQuery.of("dataset", dataset.value()).select("name").extra("properties", listed);
        return api.listInPages(ApiCollection.SNAPSHOT, query, "name", work).stream()
                .flatMap(row -> Json.text(row, "name").stream())
                .filter(name -> name.startsWith(dataset + "@"))
                .toList();
    }

    /** Returns all datasets below this one, read in pages. */
    public List<DatasetEntry> below(DatasetName parent, Work work) {
        var asked = new JsonArray();
        ASKED.forEach(asked::add);
        return pages(
                ApiQuery.all().where(ID, "^", new JsonPrimitive(parent + "/")).extra("properties", asked), work);
    }

    /** Returns all datasets below this one with what tells the size of a detached snapshot. */
    List<DatasetEntry> copiesBelow(DatasetName parent, Work work) {
        var asked = new JsonArray();
        List.of("creation", "volsize", "usedbydataset", "referenced", "logicalreferenced")
                .forEach(asked::add);
        return pages(
                ApiQuery.all().where(ID, "^", new JsonPrimitive(parent + "/")).extra("properties", asked), work);
    }

    /** Returns the names of all datasets below this one, as they are, also those that no volume could have. */
    public List<String> namesBelow(DatasetName parent, Work work) {
        var asked = new JsonArray();
        asked.add("creation");
        ApiQuery query = ApiQuery.all()
                .where(ID, "^", new JsonPrimitive(parent + "/"))
                .extra("properties", asked)
                .extra("retrieve_user_props", false);
        return api.listInPages(ApiCollection.DATASET, query, work).stream()
                .flatMap(row -> Json.text(row, ID).stream())
                .toList();
    }

    /**
     * Returns the bytes that are free of a pool, which count what parity takes of a RAID-Z too; empty if the box does
     * not tell.
     */
    public Optional<Long> free(String pool, Work work) {
        return api.list(ApiCollection.POOL, ApiQuery.of("name", pool), work).stream()
                .flatMap(row -> Json.number(row, "free").stream())
                .findFirst();
    }

    /** Says whether a pool is imported; a user that may not ask does not know, and takes it that it is. */
    public boolean hasPool(String name, Work work) {
        try {
            return api.list(ApiCollection.POOL, ApiQuery.of("name", name), work).stream()
                    .anyMatch(pool ->
                            Json.text(pool, "status").filter("OFFLINE"::equals).isEmpty());
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.RoleMissing) {
                return true;
            }
            throw e;
        }
    }

    /** Returns the dataset that is mounted at this place. */
    public Optional<DatasetEntry> mountedAt(String path, Work work) {
        return list(ApiQuery.of("mountpoint", path).extra("retrieve_children", false), work).stream()
                .filter(entry -> entry.text("mountpoint").filter(path::equals).isPresent())
                .findFirst();
    }

    /** Returns the datasets directly below a parent that have names which no volume has. */
    public List<DatasetEntry> trash(DatasetName parent, Work work) {
        var asked = new JsonArray();
        asked.add("creation");
        return pages(
                ApiQuery.all()
                        .where(ID, "^", new JsonPrimitive(parent + "/fairlead:"))
                        .extra("properties", asked),
                work);
    }

    /**
     * Returns the datasets whose content is that of a snapshot of this one, with their origins alone: a box reads what
     * it is asked for of each of its datasets.
     */
    public List<DatasetEntry> clonesOf(DatasetName name, Work work) {
        var asked = new JsonArray();
        asked.add("origin");
        ApiQuery query = ApiQuery.all()
                .extra("properties", asked)
                .extra("retrieve_user_props", false)
                .where("pool", "=", new JsonPrimitive(name.pool()))
                .where("origin.rawvalue", "^", new JsonPrimitive(name + "@"));
        return pages(query, work).stream()
                .filter(entry -> entry.origin()
                        .filter(origin -> origin.dataset().equals(name))
                        .isPresent())
                .toList();
    }

    private List<DatasetEntry> list(ApiQuery query, Work work) {
        return entries(api.list(ApiCollection.DATASET, query, work));
    }

    private List<DatasetEntry> pages(ApiQuery query, Work work) {
        return entries(api.listInPages(ApiCollection.DATASET, query, work));
    }

    private static List<DatasetEntry> entries(List<JsonObject> rows) {
        return rows.stream().flatMap(json -> DatasetEntry.read(json).stream()).toList();
    }

    private static JsonArray texts(Collection<DatasetName> names) {
        var array = new JsonArray();
        names.forEach(name -> array.add(name.value()));
        return array;
    }

    public ApiResult create(DatasetName name, JsonObject fields, Work work) {
        fields.addProperty("name", name.value());
        return api.change(ApiCall.create(ApiCollection.DATASET, fields), name.value(), work);
    }

    /** Makes a dataset whose parents are missing, and them. A box of 26 then fails to mount a zvol, which is there. */
    public ApiResult createWithParents(DatasetName name, JsonObject fields, Work work) {
        fields.addProperty("create_ancestors", true);
        ApiResult result = create(name, fields, work);
        boolean failed = result instanceof ApiResult.Refused refused && !refused.isThereAlready();
        return failed && find(name, work).isPresent() ? new ApiResult.Done(JsonNull.INSTANCE) : result;
    }

    public ApiResult update(DatasetName name, JsonObject fields, Work work) {
        return update(name, fields, UnaryOperator.identity(), work);
    }

    /** Changes a dataset by a call that is sent within this time or not at all. */
    public ApiResult update(DatasetName name, JsonObject fields, Duration left, Work work) {
        long latest = System.nanoTime() + left.toNanos();
        return update(name, fields, call -> call.sentWithin(Duration.ofNanos(latest - System.nanoTime())), work);
    }

    /**
     * Sends an update. From 24.10 to 25.10 a box refuses to remove a user property that is not there, and sets nothing
     * then: it is asked again without what another call has removed meanwhile.
     */
    private ApiResult update(DatasetName name, JsonObject fields, UnaryOperator<ApiCall> timed, Work work) {
        ApiResult result = send(name, fields, timed, work);
        for (int i = 0; i < MOST_REMOVALS && lacksRemoved(result); i++) {
            Optional<DatasetEntry> there = find(name, work);
            if (there.isEmpty()) {
                return result;
            }
            JsonObject rest =
                    DatasetFields.removingOnly(fields, there.get().rows().keySet());
            result = send(name, rest, timed, work);
        }
        return result;
    }

    private ApiResult send(DatasetName name, JsonObject fields, UnaryOperator<ApiCall> timed, Work work) {
        ApiCall call = ApiCall.update(ApiCollection.DATASET, name.value(), fields);
        return api.change(timed.apply(call), name.value(), work);
    }

    private static boolean lacksRemoved(ApiResult result) {
        return result instanceof ApiResult.Refused refused && refused.says("cannot be inherited");
    }

    /**
     * Deletes a dataset without anything that hangs on it: the box refuses if there is something.
     *
     * @param left the time within which the call is sent or not at all
     */
    public ApiResult delete(DatasetName name, Duration left, Work work) {
        var options = new JsonObject();
        options.addProperty("recursive", false);
        options.addProperty("force", false);
        ApiCall call = ApiCall.delete(ApiCollection.DATASET, name.value(), options);
        return api.change(call.sentWithin(left), name.value(), work);
    }

    /**
     * Renames a dataset that nothing shares.
     *
     * @param left the time within which the call is sent or not at all
     */
    public ApiResult rename(DatasetName from, DatasetName to, Duration left, Work work) {
        var options = new JsonObject();
        options.addProperty("new_name", to.value());
        options.addProperty("force", true);
        ApiCall call = ApiCall.of(ApiAction.DATASET_RENAME, new JsonPrimitive(from.value()), options);
        return api.change(call.sentWithin(left), from.value(), work);
    }

    public ApiResult promote(DatasetName name, Work work) {
        return api.change(ApiCall.of(ApiAction.DATASET_PROMOTE, new JsonPrimitive(name.value())), name.value(), work);
    }

    /** Returns the entry that a change answered; looks for it if it answered something else. */
    public DatasetEntry answered(ApiResult.Done done, DatasetName name, Work work) {
        return Optional.of(done.value())
                .filter(value -> value.isJsonObject())
                .flatMap(value -> DatasetEntry.read(value.getAsJsonObject()))
                .filter(entry -> entry.name().equals(name))
                .or(() -> find(name, work))
                .orElseThrow(() -> untrue(name + " was made or changed, and is not there when it is read back"));
    }

    public StorageException untrue(String what) {
        return new StorageException(new Failure.Unintelligible(api.connection(), what));
    }

    /** Returns the failure of something that a repetition may do. */
    public StorageException unavailable(String what) {
        return new StorageException(new Failure.BackendUnavailable(api.connection(), what));
    }

    public StorageException rejected(String what) {
        return new StorageException(new Failure.BackendRejected(api.connection(), what));
    }
}
