package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.connection.BoxCalls.Made;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Waits for the ends of jobs: a job goes on when its session is cut, and is lost when the box restarts. */
final class JobWait {
    private static final Duration POLL = Duration.ofSeconds(5);
    /** The longest wait for work that goes on without its caller. */
    private static final Duration BOUND = Duration.ofMinutes(10);

    private static final int HUNDRED = 100;

    private final String connection;
    private final BoxCalls calls;

    JobWait(String connection, BoxCalls calls) {
        this.connection = connection;
        this.calls = calls;
    }

    /**
     * Waits for the end of a job.
     *
     * @param begunBy the session by which it was begun; empty if that is not known
     */
    ApiResult await(ApiJob job, Optional<Session> begunBy, Work work) {
        var identity = new JobIdentity(job, begunBy);
        Duration left = work.left();
        long end = System.nanoTime() + (left.isPositive() ? left : BOUND).toNanos();
        while (true) {
            work.checkEnding();
            Duration rest = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            Made<Optional<JsonObject>> answer = answer(job, rest.compareTo(POLL) < 0 ? rest : POLL, work);
            Optional<JsonObject> seen = answer.value().filter(row -> identity.isSurely(row, answer.by()));
            if (seen.isEmpty()) {
                throw unknown(job, "the box does not know it any more, as after a restart");
            }
            Optional<ApiResult> result = end(job, seen.get());
            if (result.isPresent()) {
                return result.get();
            }
            String progress = told(seen.get(), work);
            if (System.nanoTime() >= end) {
                throw unknown(job, "it goes on" + progress);
            }
        }
    }

    private Made<Optional<JsonObject>> answer(ApiJob job, Duration wait, Work work) {
        try {
            return calls.job(job.id(), wait, work);
        } catch (StorageException e) {
            // The box has begun it, whatever may be said of the question.
            throw new StorageException(
                    new Failure.OutcomeUnknown(
                            connection, job.toString(), e.failure().message()),
                    e);
        }
    }

    private StorageException unknown(ApiJob job, String detail) {
        return new StorageException(new Failure.OutcomeUnknown(connection, job.toString(), detail));
    }

    private static String told(JsonObject job, Work work) {
        JsonObject progress = Json.child(job, "progress");
        long percent = Json.number(progress, "percent").orElse(0L);
        work.progress(percent, HUNDRED);
        String words = Json.text(progress, "description").map(BoxWords::cut).orElse("");
        return " (" + percent + " %" + (words.isEmpty() ? "" : ", " + words) + ")";
    }

    private Optional<ApiResult> end(ApiJob job, JsonObject seen) {
        return switch (Json.text(seen, "state").orElse("")) {
            case "SUCCESS" -> {
                JsonElement result = seen.get("result");
                yield Optional.of(new ApiResult.Done(result == null ? JsonNull.INSTANCE : result));
            }
            case "ABORTED" -> Optional.of(refused(job, seen, ApiErrno.ECANCELED, "the job was aborted"));
            case "FAILED" -> Optional.of(refused(job, seen, ApiErrno.EFAULT, "the job failed without a reason"));
            default -> Optional.empty();
        };
    }

    private ApiResult refused(ApiJob job, JsonObject seen, ApiErrno usual, String without) {
        JsonObject info = Json.child(seen, "exc_info");
        List<FieldError> fields = new ArrayList<>();
        if (info.has("extra") && info.get("extra").isJsonArray()) {
            info.getAsJsonArray("extra").asList().stream()
                    .filter(JsonElement::isJsonArray)
                    .map(JsonElement::getAsJsonArray)
                    .filter(parts -> parts.size() > 2 && parts.asList().stream().allMatch(JsonElement::isJsonPrimitive))
                    .forEach(parts -> fields.add(new FieldError(
                            parts.get(0).getAsString(),
                            BoxWords.cut(parts.get(1).getAsString()),
                            ApiErrno.of(parts.get(2).getAsLong()))));
        }
        String error = Json.text(seen, "error").map(BoxWords::cut).orElse(without);
        ApiErrno errno = Json.number(info, "errno").map(ApiErrno::of).orElse(named(error, usual));
        return new ApiResult.Refused(connection, job.method(), BoxWords.errno(errno, fields), error, fields);
    }

    /** Returns the errno that a text begins with, such as {@code [ENOSPC] no space}. */
    private static ApiErrno named(String error, ApiErrno usual) {
        for (ApiErrno errno : ApiErrno.values()) {
            if (error.startsWith("[" + errno + "]")) {
                return errno;
            }
        }
        return usual;
    }
}
