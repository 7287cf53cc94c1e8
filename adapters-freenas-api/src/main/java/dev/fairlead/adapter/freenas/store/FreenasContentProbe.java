package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.VolumeContent;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tells by {@code zfs.resource.query} whether a block volume holds anything: {@code pool.dataset.query} shows no
 * logical size, and what it shows does not count what a clone shares. So nothing is known before 25.10, nor by a user
 * without the role for that query, which nothing else needs.
 *
 * @param names returns the dataset of an id
 */
record FreenasContentProbe(TruenasApi api, Function<NativeId, Optional<DatasetName>> names) implements ContentProbe {
    private static final String REFERENCED = "logicalreferenced";
    private static final String BLOCK_SIZE = "volblocksize";

    @Override
    public HostFinding probe(NativeId id, Work work) {
        DatasetName name = names.apply(id).orElseThrow(() -> notFound(id));
        return api.has(ApiAction.RESOURCE_QUERY, work)
                ? properties(id, name, work).map(shown -> found(name, shown)).orElse(HostFinding.UNKNOWN)
                : HostFinding.UNKNOWN;
    }

    /** Returns what the box tells of the dataset; empty if the user may not ask. */
    private Optional<JsonObject> properties(NativeId id, DatasetName name, Work work) {
        var data = new JsonObject();
        data.add("paths", array(name.value()));
        data.add("properties", array(REFERENCED, BLOCK_SIZE));
        try {
            return Optional.of(read(id, name, api.query(ApiCall.of(ApiAction.RESOURCE_QUERY, data), work)));
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.RoleMissing) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns what an answer tells of the dataset. One that is refused, or that tells of others alone, makes no sense:
     * the box says of a dataset that is absent that it is.
     */
    private JsonObject read(NativeId id, DatasetName name, ApiResult result) {
        return switch (result) {
            case ApiResult.Done(JsonElement rows) ->
                rows(rows)
                        .filter(row -> Json.text(row, "name")
                                .filter(name.value()::equals)
                                .isPresent())
                        .findFirst()
                        .map(row -> Json.child(row, "properties"))
                        .orElseThrow(() -> unintelligible("it tells nothing of " + name));
            case ApiResult.Refused refused when refused.isAbsent() -> throw notFound(id);
            case ApiResult.Refused refused ->
                throw unintelligible("it refuses to tell what is on " + name + ": " + refused.text());
        };
    }

    private static Stream<JsonObject> rows(JsonElement answer) {
        return (answer.isJsonArray() ? answer.getAsJsonArray().asList() : List.<JsonElement>of())
                .stream().filter(JsonElement::isJsonObject).map(JsonElement::getAsJsonObject);
    }

    private HostFinding found(DatasetName name, JsonObject properties) {
        String referenced = raw(properties, REFERENCED).orElse("nothing");
        if (!referenced.matches("[0-9]{1,18}")) {
            throw unintelligible(name + " references " + referenced);
        }
        return VolumeContent.of(
                Long.parseLong(referenced), raw(properties, BLOCK_SIZE).flatMap(BlockSize::of));
    }

    private static Optional<String> raw(JsonObject properties, String key) {
        return Json.text(Json.child(properties, key), "raw");
    }

    private static JsonArray array(String... texts) {
        var array = new JsonArray();
        for (String text : texts) {
            array.add(text);
        }
        return array;
    }

    private StorageException unintelligible(String what) {
        return new StorageException(new Failure.Unintelligible(api.connection(), what));
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }
}
