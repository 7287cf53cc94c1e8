package dev.fairlead.adapter.k8s;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.ApiClient.Reply;
import dev.fairlead.domain.failure.Excerpt;
import java.time.Duration;
import java.util.Optional;

/** Tells what an HTTP response means, and the API server's own from those of what stands before it. */
final class Replies {
    private static final int LONGEST_TYPE = 60;

    private Replies() {}

    /** @param text empty where it was too long */
    static Reply of(ApiRequest request, int status, Optional<Duration> after, String type, Optional<String> text) {
        Optional<JsonObject> object = text.flatMap(Json::object);
        if (status == 429) {
            return new Reply.Passing("it is too busy (status 429)", true, false, after);
        }
        if (status >= 500) {
            String said = object.flatMap(json -> Json.text(json, "message")).orElse("");
            return new Reply.Passing(
                    "status " + status + (said.isEmpty() ? "" : ", " + Excerpt.of(said, ApiFailures.LONGEST)),
                    false,
                    false,
                    after);
        }
        if (status >= 400) {
            return new Reply.Final(refused(status, object.orElseGet(JsonObject::new)));
        }
        if (status >= 200 && status < 300 && object.isPresent()) {
            return new Reply.Final(new ApiAnswer.Done(object.get()));
        }
        String why = text.isEmpty() ? "more than " + Exchange.MAX_BYTES + " bytes" : "no JSON object";
        throw ApiFailures.unintelligible(request.what(), "status " + status + " with " + why + shown(type));
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

    private static String shown(String type) {
        String plain = type.replaceAll("[^ -~]", "");
        return plain.isEmpty() ? "" : " of type " + plain.substring(0, Math.min(plain.length(), LONGEST_TYPE));
    }
}
