package dev.fairlead.http;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Holds what came back, read within bounds.
 *
 * @param type the media type that the server names; empty if it names none
 * @param after the time for which the server asks not to be called
 * @param text the body; empty if there was more of it than is read
 * @param maxBytes the greatest number of bytes that is read
 */
public record HttpAnswer(int status, String type, Optional<Duration> after, Optional<String> text, int maxBytes) {
    private static final int LONGEST_TYPE = 60;

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns the one JSON object that the body is; empty if it is anything else. */
    public Optional<JsonObject> object() {
        return text.flatMap(Json::object);
    }

    /** Says why a body is not the one JSON object that it should be. */
    public String notAnObject() {
        String why = text.isEmpty() ? "more than " + maxBytes + " bytes" : "no JSON object";
        String plain = type.replaceAll("[^ -~]", "");
        String shown = plain.isEmpty() ? "" : " of type " + plain.substring(0, Math.min(plain.length(), LONGEST_TYPE));
        return "status " + status + " with " + why + shown;
    }
}
