package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.http.HttpAnswer;
import dev.fairlead.http.Json;
import dev.fairlead.http.Verdict;
import java.util.Optional;

/** Tells what an HTTP response means, and whether it is the API server's own or that of a proxy before it. */
final class Replies {
    private Replies() {}

    /** Returns what it means; an empty answer if it is of success and longer than what is read. */
    static Verdict<Optional<ApiAnswer>> of(HttpAnswer answer) {
        Optional<JsonObject> object = answer.object();
        int status = answer.status();
        if (status == 429) {
            return new Verdict.Passing<>("it is too busy (status 429)", true, answer.after());
        }
        if (status >= 500) {
            String said = object.flatMap(json -> Json.text(json, "message")).orElse("");
            String detail = "status " + status + (said.isEmpty() ? "" : ", " + Excerpt.of(said, ApiFailures.LONGEST));
            return new Verdict.Passing<>(detail, false, answer.after());
        }
        if (status >= 400) {
            ApiAnswer.Refused refused = refused(status, object.orElseGet(JsonObject::new));
            return new Verdict.Final<>(Optional.of(refused), status + " " + refused.reason());
        }
        if (answer.isSuccess() && answer.text().isEmpty()) {
            return new Verdict.Final<>(Optional.empty(), answer.notAnObject());
        }
        return answer.isSuccess() && object.isPresent()
                ? new Verdict.Final<>(Optional.of(new ApiAnswer.Done(object.get())), "done")
                : new Verdict.Unintelligible<>(answer.notAnObject());
    }

    private static ApiAnswer.Refused refused(int status, JsonObject object) {
        boolean theirs = Json.text(object, "kind").filter("Status"::equals).isPresent();
        return theirs
                ? new ApiAnswer.Refused(
                        status,
                        Json.text(object, "reason").orElse(""),
                        Json.text(object, "message").orElse(""))
                : new ApiAnswer.Refused(status, "", "which is no answer of the API");
    }
}
