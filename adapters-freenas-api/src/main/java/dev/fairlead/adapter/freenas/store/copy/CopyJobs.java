package dev.fairlead.adapter.freenas.store.copy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the jobs by which a box copies, each by its target; a box that was restarted has forgotten them. */
public record CopyJobs(TruenasApi api) {
    private static final Set<String> GOING_ON = Set.of("WAITING", "RUNNING");

    /** The number of replications among which that of a target is looked for. */
    private static final int MOST_JOBS = 200;

    /** Throws if a copy is being made at this target. */
    public void requireNone(DatasetName target, Work work) {
        if (latest(target, work).filter(CopyJobs::goesOn).isPresent()) {
            throw underWay(target);
        }
    }

    /** Returns that a copy to this target is under way. */
    StorageException underWay(DatasetName target) {
        return new StorageException(new Failure.BackendUnavailable(
                api.connection(), target + " is being copied by a job of the box, whose end is waited for"));
    }

    /** Returns the target of each of the jobs that goes on, whoever waits for it, with the dataset that it copies. */
    static Map<DatasetName, String> underWay(List<JsonObject> all) {
        Map<DatasetName, String> found = new LinkedHashMap<>();
        all.stream()
                .filter(CopyJobs::goesOn)
                .forEach(row -> Json.text(argument(row), "target_dataset")
                        .flatMap(DatasetName::of)
                        .ifPresent(target -> found.put(target, source(row).orElse(""))));
        return found;
    }

    /** Returns the number of the newest of these jobs; 0 if there is none. */
    static long last(List<JsonObject> all) {
        return all.stream().mapToLong(CopyJobs::number).max().orElse(0);
    }

    static long number(JsonObject job) {
        return Json.number(job, "id").orElse(0L);
    }

    /**
     * Returns the last job that was begun for a target; one that goes on, if there is one, since a later one fails
     * while it has made the target, and tells nothing of it.
     */
    Optional<JsonObject> latest(DatasetName target, Work work) {
        List<JsonObject> its = all(work).stream()
                .filter(row -> Json.text(argument(row), "target_dataset")
                        .filter(target.value()::equals)
                        .isPresent())
                .toList();
        return its.stream()
                .filter(CopyJobs::goesOn)
                .findFirst()
                .or(() -> its.stream().findFirst());
    }

    /** Returns the last replications that the box was asked for once, the newest first. */
    List<JsonObject> all(Work work) {
        ApiQuery query = ApiQuery.of("method", method(work)).orderBy("-id").page(0, MOST_JOBS);
        JsonElement jobs = api.query(ApiCall.query(ApiAction.JOBS, query), work).orThrow();
        return !jobs.isJsonArray()
                ? List.of()
                : jobs.getAsJsonArray().asList().stream()
                        .filter(JsonElement::isJsonObject)
                        .map(JsonElement::getAsJsonObject)
                        .toList();
    }

    private String method(Work work) {
        return ApiAction.REPLICATION_RUN.name(api.release(work)).orElse("");
    }

    private static JsonObject argument(JsonObject job) {
        return arguments(job).stream()
                .limit(1)
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .findFirst()
                .orElseGet(JsonObject::new);
    }

    private static List<JsonElement> arguments(JsonObject job) {
        JsonElement all = job.get("arguments");
        return all != null && all.isJsonArray() ? all.getAsJsonArray().asList() : List.of();
    }

    private static String state(JsonObject job) {
        return Json.text(job, "state").orElse("");
    }

    static boolean succeeded(JsonObject job) {
        return state(job).equals("SUCCESS");
    }

    static boolean goesOn(JsonObject job) {
        return GOING_ON.contains(state(job));
    }

    /** Says whether a job copies this snapshot. */
    static boolean isOf(JsonObject job, SnapshotName source) {
        return source(job).filter(source.dataset().value()::equals).isPresent()
                && Json.text(argument(job), "name_regex")
                        .filter(pattern(source)::equals)
                        .isPresent();
    }

    /** Returns the one dataset that a job copies. */
    private static Optional<String> source(JsonObject job) {
        return Optional.ofNullable(argument(job).get("source_datasets"))
                .filter(JsonElement::isJsonArray)
                .map(JsonElement::getAsJsonArray)
                .filter(sources -> sources.size() == 1 && sources.get(0).isJsonPrimitive())
                .map(sources -> sources.get(0).getAsString());
    }

    static ApiJob job(JsonObject row) {
        return new ApiJob(number(row), Json.text(row, "method").orElse(""), arguments(row));
    }

    /** Returns the regular expression by which a job is told which snapshot to send. */
    static String pattern(SnapshotName source) {
        return "^" + source.name().replaceAll("[.+]", "[$0]") + "$";
    }
}
