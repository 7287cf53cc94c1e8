package dev.fairlead.linstor.rest;

import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Holds what goes wrong between the controller and its callers, as it was asked for. */
public final class WireFaults {
    /** Says what goes wrong. */
    public enum Kind {
        /** A page for people comes, as from a proxy. */
        HTML,
        /** Status 200 and nothing; a stream of events is silent. */
        NOTHING,
        /** The text ends in the middle; a stream breaks off in the middle of its first event. */
        HALF_TEXT,
        /** The list is well formed and half of it is missing. */
        HALF_LIST,
        /** The answer is the last one that was right. */
        STALE,
        /** The answer is the one before the last that was right and different: time goes back. */
        OLDER,
        /** A thing that is there is not found. */
        MISSING,
        /** The call is carried out, and the answer is an error without a word. */
        WORDLESS,
        /** The call is carried out, and the connection is cut instead of an answer. */
        CUT,
        /** The call is carried out, the connection is cut, and the other controller takes over. */
        SWITCH,
        /** No answer comes for a long time. */
        HANG
    }

    /** One fault: of a kind, for calls whose method and path begin so, so many times. */
    private record Armed(Kind kind, String on, long left) {}

    private static final String WORDS = String.join(
            ", ",
            List.of(Kind.values()).stream()
                    .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .toList());

    private final List<Armed> armed = new ArrayList<>();

    /** Arms one, such as {@code {"kind": "html", "on": "GET /v1/nodes", "times": 2}}. */
    public synchronized void arm(JsonObject script) {
        String word = text(script, "kind").toUpperCase(Locale.ROOT).replace('-', '_');
        if (List.of(Kind.values()).stream().noneMatch(kind -> kind.name().equals(word))) {
            throw new IllegalArgumentException(
                    "kind: '" + text(script, "kind") + "' is none (expected: " + WORDS + ")");
        }
        armed.add(new Armed(Kind.valueOf(word), text(script, "on"), number(script, "times", Long.MAX_VALUE)));
    }

    public synchronized void clear() {
        armed.clear();
    }

    /** Returns what goes wrong with a call, and counts it. */
    synchronized Optional<Kind> next(String call) {
        for (int at = 0; at < armed.size(); at++) {
            Armed fault = armed.get(at);
            if (!call.startsWith(fault.on())) continue;
            if (fault.left() <= 1) armed.remove(at);
            else armed.set(at, new Armed(fault.kind(), fault.on(), fault.left() - 1));
            return Optional.of(fault.kind());
        }
        return Optional.empty();
    }
}
