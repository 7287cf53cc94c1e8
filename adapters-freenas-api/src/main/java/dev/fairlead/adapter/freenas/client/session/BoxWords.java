package dev.fairlead.adapter.freenas.client.session;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.application.config.Secret;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes a box's words fit to be shown: without the secrets that it was sent, which a box repeats when it refuses them,
 * and then on one line and of bounded length.
 */
public final class BoxWords {
    private static final int LONGEST = 600;
    private static final String HIDDEN = "***";

    /** The fewest characters of a secret that is hidden: shorter ones would be found by chance, in any text. */
    private static final int LEAST = 4;

    /** The arguments of calls that hold secrets. */
    private static final Set<String> SECRETS =
            Set.of("secret", "peersecret", "dhchap_key", "dhchap_ctrl_key", "password", "api_key", "passphrase");

    private final List<String> secrets;

    private BoxWords(Stream<String> secrets) {
        // The longest first: one may be part of another.
        this.secrets = secrets.flatMap(BoxWords::forms)
                .filter(secret -> secret.length() >= LEAST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns the words of a box at which this login is used. */
    public static BoxWords without(TruenasLogin login) {
        return new BoxWords(Stream.of(login.apiKey(), login.password())
                .flatMap(secret -> secret.map(Secret::reveal).stream())
                .flatMap(secret -> Stream.of(secret, secret.substring(secret.indexOf('-') + 1))));
    }

    /** Returns the same words without the secrets among the arguments of a call. */
    public BoxWords without(Iterable<JsonElement> arguments) {
        List<String> found = new ArrayList<>(secrets);
        arguments.forEach(argument -> collect(argument, found));
        return found.size() == secrets.size() ? this : new BoxWords(found.stream());
    }

    private static void collect(JsonElement argument, List<String> found) {
        if (argument.isJsonArray()) {
            argument.getAsJsonArray().forEach(each -> collect(each, found));
        } else if (argument.isJsonObject()) {
            JsonObject object = argument.getAsJsonObject();
            for (String key : object.keySet()) {
                JsonElement value = object.get(key);
                if (SECRETS.contains(key) && value.isJsonPrimitive()) {
                    found.add(value.getAsString());
                } else {
                    collect(value, found);
                }
            }
        }
    }

    /** Returns a secret as it is, and as a box writes it within quotation marks. */
    private static Stream<String> forms(String secret) {
        String quoted = new JsonPrimitive(secret).toString();
        return Stream.of(secret, quoted.substring(1, quoted.length() - 1), secret.replace("\\", "\\\\"));
    }

    /** Returns what the box said, fit to be shown. */
    public String shown(String words) {
        String whole = words;
        for (String secret : secrets) {
            whole = whole.replace(secret, HIDDEN);
        }
        return cut(whole);
    }

    /** Returns words that bear no secret on one line, without control characters, and cut if they are long. */
    public static String cut(String words) {
        String stripped = words.strip();
        StringBuilder shown = new StringBuilder();
        stripped.codePoints().limit(LONGEST).forEach(c -> shown.appendCodePoint(c < ' ' || c == 0x7F ? ' ' : c));
        return stripped.codePointCount(0, stripped.length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }

    /** Returns a reply with its words fit to be shown. */
    public Reply shown(Reply reply) {
        return switch (reply) {
            case Reply.Done done -> done;
            case Reply.Denied(String text) -> new Reply.Denied(shown(text));
            case Reply.Refusal(ApiErrno errno, String text, List<FieldError> fields) ->
                new Reply.Refusal(
                        errno,
                        shown(text),
                        fields.stream()
                                .map(field ->
                                        new FieldError(shown(field.attribute()), shown(field.text()), field.errno()))
                                .toList());
        };
    }

    /** Returns the errno of a whole refusal: that of the first field that has one of its own. */
    public static ApiErrno errno(ApiErrno whole, List<FieldError> fields) {
        return fields.stream()
                .map(FieldError::errno)
                .filter(errno -> errno != ApiErrno.EINVAL)
                .findFirst()
                .orElse(whole);
    }
}
