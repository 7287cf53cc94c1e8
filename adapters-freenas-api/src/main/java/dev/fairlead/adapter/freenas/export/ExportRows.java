package dev.fairlead.adapter.freenas.export;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds and changes the rows of a box by which volumes are exported. They are found by their names and paths, and never
 * by a number that was noted: it may be another row's by now.
 */
public record ExportRows(TruenasApi api) {
    private static final String ID = "id";

    /** Returns the rows whose field has this text, the oldest first. */
    public List<JsonObject> of(ApiCollection collection, String field, String value, Work work) {
        return where(
                collection,
                ApiQuery.of(field, value),
                row -> Json.text(row, field).filter(value::equals).isPresent(),
                work);
    }

    /**
     * Returns a path such as {@code zvol/tank/a} as the box's devices are named: a plus stands for a space, since udev
     * makes no names with spaces. No dataset has a plus in its name.
     */
    public static String device(String path) {
        return path.replace(' ', '+');
    }

    /**
     * Returns the rows whose field has the path of this device, the oldest first: also those that have it with spaces,
     * which boxes take too of namespaces, and which others may have made.
     */
    public List<JsonObject> ofDevice(ApiCollection collection, String field, String device, Work work) {
        return Stream.of(device, device.replace('+', ' '))
                .distinct()
                .flatMap(path -> of(collection, field, path, work).stream())
                .sorted(Comparator.comparingLong(ExportRows::id))
                .toList();
    }

    /** Returns the rows whose field has this number, the oldest first. */
    public List<JsonObject> of(ApiCollection collection, String field, long value, Work work) {
        return where(
                collection,
                ApiQuery.of(field, value),
                row -> Json.number(row, field).filter(number -> number == value).isPresent(),
                work);
    }

    /** Returns the rows that a query finds and that are so, the oldest first. */
    public List<JsonObject> where(ApiCollection collection, ApiQuery query, Predicate<JsonObject> isSo, Work work) {
        return api.list(collection, query, work).stream()
                .filter(row -> Json.number(row, ID).isPresent())
                .filter(isSo)
                .sorted(Comparator.comparingLong(ExportRows::id))
                .toList();
    }

    /** Returns a row's number. */
    public static long id(JsonObject row) {
        return Json.number(row, ID).orElse(0L);
    }

    /**
     * Makes a row, and returns it as the box reads it back in its answer. If that is no such row, or the box refuses
     * since there is one already, it is looked for: a call that was cut may have made it.
     *
     * @param look finds the row by its name or path
     */
    public JsonObject make(
            ApiCollection collection,
            JsonObject fields,
            String target,
            Supplier<Optional<JsonObject>> look,
            Work work) {
        ApiResult result = api.change(ApiCall.create(collection, fields), target, work);
        Optional<JsonObject> there = answered(result, fields).or(look);
        if (there.isEmpty() && result instanceof ApiResult.Refused refused) {
            throw failure(refused);
        }
        return there.orElseThrow(() -> untrue(target + " was made, and is not there when it is read back"));
    }

    /**
     * Makes a row that nobody can have made before, and returns it as the box reads it back in its answer; empty if
     * that is no such row, or the box refuses. Then the caller has to look.
     */
    public Optional<JsonObject> makeNew(ApiCollection collection, JsonObject fields, String target, Work work) {
        return answered(api.change(ApiCall.create(collection, fields), target, work), fields);
    }

    /** Returns the row that a call answers to have made, if it has what was sent. */
    private static Optional<JsonObject> answered(ApiResult result, JsonObject sent) {
        return Optional.of(result)
                .filter(ApiResult.Done.class::isInstance)
                .map(done -> ((ApiResult.Done) done).value())
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .filter(row -> Json.number(row, ID).isPresent())
                .filter(row -> shared(row, sent).findAny().isPresent()
                        && shared(row, sent).allMatch(key -> row.get(key).equals(sent.get(key))));
    }

    /** Returns the fields that were sent with a single value, and that the row has too. */
    private static Stream<String> shared(JsonObject row, JsonObject sent) {
        return sent.keySet().stream().filter(key -> sent.get(key).isJsonPrimitive() && row.has(key));
    }

    /** Changes a row; the caller reads it back. */
    public void update(ApiCollection collection, JsonObject row, JsonObject fields, String target, Work work) {
        update(collection, row, fields, target, () -> {}, work);
    }

    /**
     * Changes a row; the caller reads it back.
     *
     * @param afterRefusal what is done if the box refuses, and not if nobody knows what it did
     */
    public void update(
            ApiCollection collection,
            JsonObject row,
            JsonObject fields,
            String target,
            Runnable afterRefusal,
            Work work) {
        ApiResult result = api.change(ApiCall.update(collection, id(row), fields), target, work);
        if (result instanceof ApiResult.Refused refused) {
            afterRefusal.run();
            throw isAbsent(refused) ? unavailable(target + " went meanwhile") : failure(refused);
        }
    }

    /** Deletes a row; one that is absent is deleted. */
    public void delete(ApiCollection collection, JsonObject row, String target, Work work, JsonElement... options) {
        ApiResult result = api.change(ApiCall.delete(collection, id(row), options), target, work);
        if (result instanceof ApiResult.Refused refused && !isAbsent(refused)) {
            throw failure(refused);
        }
    }

    private static boolean isAbsent(ApiResult.Refused refused) {
        return refused.isAbsent();
    }

    /** Returns the failure of what was refused: one that says to come back if that may help. */
    private StorageException failure(ApiResult.Refused refused) {
        boolean noDeviceYet = (refused.says("for volume") && refused.says("does not exist"))
                || refused.says("must be a block device");
        return refused.isBusy() || noDeviceYet
                ? unavailable(refused.what() + ": " + refused.text() + "; it is tried again")
                : RefusedFieldsException.failure(refused);
    }

    /** Returns the failure of something that a repetition may do. */
    public StorageException unavailable(String what) {
        return new StorageException(new Failure.BackendUnavailable(api.connection(), what));
    }

    /** Returns the failure of something that the box says it did, and that is not so. */
    public StorageException untrue(String what) {
        return new StorageException(new Failure.Unintelligible(api.connection(), what));
    }

    /** Returns the failure of something that no repetition will do. */
    public StorageException rejected(String what) {
        return new StorageException(new Failure.BackendRejected(api.connection(), what));
    }
}
