package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.export.RefusedFieldsException;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the calls of {@code sharing.nfs}. A share of CORE may have several paths, of which one is never taken alone.
 */
record NfsShareCalls(TruenasApi api) {
    private static final String PATH = "path";
    private static final String PATHS = "paths";

    /** Returns the shares of a path, the oldest first. */
    List<NfsShareEntry> of(String path, Work work) {
        ApiQuery query = api.release(work).isCore()
                ? ApiQuery.all().where(PATHS, "rin", new JsonPrimitive(path))
                : ApiQuery.of(PATH, path);
        return api.list(ApiCollection.NFS_SHARE, query, work).stream()
                .flatMap(json -> NfsShareEntry.read(json).stream())
                .filter(share -> share.paths().contains(path))
                .sorted(Comparator.comparingLong(NfsShareEntry::id))
                .toList();
    }

    /** Makes a share; empty if the box refuses since there is one, as the repetition finds out. */
    Optional<NfsShareEntry> create(String path, JsonObject fields, Work work) {
        addPath(path, fields, work);
        return switch (api.change(ApiCall.create(ApiCollection.NFS_SHARE, fields), path, work)) {
            case ApiResult.Done done ->
                Optional.of(done.value())
                        .filter(value -> value.isJsonObject())
                        .flatMap(value -> NfsShareEntry.read(value.getAsJsonObject()));
            case ApiResult.Refused refused -> {
                if (refused.says("conflict")
                        || refused.says("already exports")
                        || refused.says("share same filesystem")) {
                    yield Optional.empty();
                }
                throw failure(refused, work);
            }
        };
    }

    /**
     * Changes a share. The path is among the fields, so that a share which has another's number by now does not begin
     * to let that other one's clients in.
     */
    void update(NfsShareEntry share, String path, JsonObject fields, Work work) {
        addPath(path, fields, work);
        ApiResult result = api.change(ApiCall.update(ApiCollection.NFS_SHARE, share.id(), fields), path, work);
        if (result instanceof ApiResult.Refused refused) {
            throw refused.isAbsent() || refused.says("does not exist")
                    ? unavailable("the NFS share " + share.id() + " of " + path + " went meanwhile")
                    : failure(refused, work);
        }
    }

    /** Returns the failure of a refusal; some releases take few hosts and networks of a share. */
    private StorageException failure(ApiResult.Refused refused, Work work) {
        return refused.says("list should have at most")
                ? new StorageException(new Failure.StorageUnfit(
                        api.connection(),
                        "an NFS share of its box, which runs "
                                + api.release(work).shown() + ", takes no more hosts and networks; " + refused.what()
                                + ": " + refused.text(),
                        "upgrade the box to 25.10.1 or later (25.04.2.6 within 25.04), where there is no such limit,"
                                + " or leave fairlead.publish out and name nfs.shareAllowedNetworks"))
                : RefusedFieldsException.failure(refused);
    }

    private void addPath(String path, JsonObject fields, Work work) {
        if (api.release(work).isCore()) {
            var paths = new JsonArray();
            paths.add(path);
            fields.add(PATHS, paths);
        } else {
            fields.addProperty(PATH, path);
        }
    }

    /**
     * Takes a path out of a share: deletes the share, or leaves it to its other paths.
     *
     * @return whether the box said that it was done
     */
    boolean withdraw(NfsShareEntry share, String path, Work work) {
        ApiResult result = share.isOnlyOf(path)
                ? api.change(ApiCall.delete(ApiCollection.NFS_SHARE, share.id()), path, work)
                : api.change(ApiCall.update(ApiCollection.NFS_SHARE, share.id(), others(share, path)), path, work);
        return switch (result) {
            case ApiResult.Done _ -> share.isOnlyOf(path);
            case ApiResult.Refused refused -> {
                if (!refused.isAbsent() && !refused.says("does not exist")) {
                    throw refused.failure();
                }
                yield false;
            }
        };
    }

    private static JsonObject others(NfsShareEntry share, String path) {
        var paths = new JsonArray();
        share.paths().stream().filter(each -> !each.equals(path)).forEach(paths::add);
        var fields = new JsonObject();
        fields.add(PATHS, paths);
        return fields;
    }

    /** Returns the fields by which exactly these hosts may mount a share; off, if there are none. */
    static JsonObject lettingIn(Iterable<String> hosts) {
        var all = new JsonArray();
        hosts.forEach(all::add);
        var fields = new JsonObject();
        fields.addProperty("enabled", !all.isEmpty());
        fields.add("hosts", all);
        fields.add("networks", new JsonArray());
        return fields;
    }

    /** Returns the fields of a share that another one has, without those that are its own alone. */
    static JsonObject like(NfsShareEntry share) {
        var fields = new JsonObject();
        Stream.of("comment", "ro", "maproot_user", "maproot_group", "mapall_user", "mapall_group", "security")
                .filter(share.fields()::has)
                .forEach(key -> fields.add(key, share.fields().get(key)));
        return fields;
    }

    StorageException unavailable(String what) {
        return new StorageException(new Failure.BackendUnavailable(api.connection(), what));
    }

    StorageException untrue(String what) {
        return new StorageException(new Failure.Unintelligible(api.connection(), what));
    }
}
