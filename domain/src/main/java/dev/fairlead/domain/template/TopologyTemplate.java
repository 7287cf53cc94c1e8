package dev.fairlead.domain.template;

import dev.fairlead.domain.failure.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The template of a node topology rule is a text with {@code {match:0}} for all that the regex matched,
 * {@code {match:1}} for its first group and so on, {@code {match:index}} for the position at which the match begins and
 * {@code {match:input}} for the text that was matched. {@code ${match:1}} means the same as {@code {match:1}}.
 */
public record TopologyTemplate(String source, List<Part> parts) {
    private static final Pattern PLACE = Pattern.compile("\\$?\\{match:([^{}]*)\\}");
    private static final Pattern GROUP = Pattern.compile("[0-9]{1,3}");

    /** The template of a rule that gives none: everything that was matched. */
    public static final String WHOLE = "{match:0}";

    public TopologyTemplate {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a template.
     *
     * @param groups how many groups the rule's regex has
     * @throws IllegalArgumentException naming a place that this regex does not fill
     */
    public static TopologyTemplate parse(String source, int groups) {
        List<Part> parts = new ArrayList<>();
        Matcher place = PLACE.matcher(source);
        int at = 0;
        while (place.find()) {
            parts.add(new Part.Text(source.substring(at, place.start())));
            parts.add(part(place.group(1), groups));
            at = place.end();
        }
        parts.add(new Part.Text(source.substring(at)));
        return new TopologyTemplate(source, parts);
    }

    private static Part part(String name, int groups) {
        if (name.equals("index")) {
            return new Part.Index();
        }
        if (name.equals("input")) {
            return new Part.Input();
        }
        if (!GROUP.matcher(name).matches() || Integer.parseInt(name) > groups) {
            throw new IllegalArgumentException("template: nothing fills " + Excerpt.of("{match:" + name + "}")
                    + " (expected: {match:0} to {match:" + groups
                    + "} as the regex has groups, {match:index} or {match:input})");
        }
        return new Part.Group(Integer.parseInt(name));
    }

    /** Returns the text with its places filled; a group that took no part in the match is empty. */
    public String render(MatchResult match, String input) {
        var out = new StringBuilder();
        for (Part part : parts) {
            out.append(
                    switch (part) {
                        case Part.Text(String text) -> text;
                        case Part.Group(int number) ->
                            Optional.ofNullable(match.group(number)).orElse("");
                        case Part.Index() -> Integer.toString(match.start());
                        case Part.Input() -> input;
                    });
        }
        return out.toString();
    }

    /** A part is a piece of a template. */
    public sealed interface Part {
        record Text(String text) implements Part {}

        record Group(int number) implements Part {}

        record Index() implements Part {}

        record Input() implements Part {}
    }
}
