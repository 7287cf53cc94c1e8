package dev.fairlead.domain.template;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A template is a text with places to fill, in the part of Handlebars that democratic-csi's configuration needs.
 *
 * <p>{@code {{a.b}}} and {@code {{a.[b/c d]}}} are replaced by the value of that path, HTML-escaped as Handlebars does;
 * <code>{{{a.b}}}</code> by the value as it is; a missing value by nothing. {@code {{#if a}}…{{else}}…{{/if}}} chooses,
 * and <code>{{! … }}</code> is passed over. Everything else of Handlebars is refused when the template is parsed.
 * Parsed once, rendered from any thread.
 */
public final class Template {
    /** The greatest length of a rendered text. */
    public static final int MAX_OUTPUT_CHARS = 65_536;

    private final String source;
    private final List<Part> parts;

    private Template(String source, List<Part> parts) {
        this.source = source;
        this.parts = parts;
    }

    /** @throws IllegalArgumentException naming what is not supported and what to write */
    public static Template parse(String source) {
        return new Template(source, new TemplateParser(source).parse());
    }

    /** Returns the text that was parsed. */
    public String source() {
        return source;
    }

    /**
     * Fills the places.
     *
     * @param context maps of maps, with texts at the ends
     * @throws StorageException {@code InvalidRequest} if the result would be longer than {@value #MAX_OUTPUT_CHARS}
     *     characters
     */
    public String render(Map<String, ?> context) {
        var out = new StringBuilder();
        render(parts, context, out);
        return out.toString();
    }

    private static void render(List<Part> parts, Map<String, ?> context, StringBuilder out) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> append(out, text);
                case Part.Value(List<String> path, boolean escaped) -> {
                    String value = find(path, context).map(Template::text).orElse("");
                    append(out, escaped ? escape(value) : value);
                }
                case Part.If(List<String> path, List<Part> then, List<Part> otherwise) ->
                    render(find(path, context).filter(Template::truthy).isPresent() ? then : otherwise, context, out);
            }
        }
    }

    private static void append(StringBuilder out, String text) {
        if (out.length() + text.length() > MAX_OUTPUT_CHARS) {
            throw new StorageException(new Failure.InvalidRequest(
                    "parameters",
                    "a template that uses them grows over " + MAX_OUTPUT_CHARS + " characters; make them shorter"));
        }
        out.append(text);
    }

    private static Optional<Object> find(List<String> path, Map<String, ?> context) {
        Optional<Object> found = Optional.of(context);
        for (String step : path) {
            found = found.flatMap(value ->
                    value instanceof Map<?, ?> map ? Optional.<Object>ofNullable(map.get(step)) : Optional.empty());
        }
        return found;
    }

    /**
     * Returns a value as a text; a map becomes {@code [object Object]} as in Handlebars, so that a peer's results are
     * kept.
     */
    private static String text(Object value) {
        return value instanceof Map<?, ?> ? "[object Object]" : value.toString();
    }

    private static boolean truthy(Object value) {
        return !value.equals("");
    }

    private static String escape(String text) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#x27;");
                case '`' -> out.append("&#x60;");
                case '=' -> out.append("&#x3D;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template that && that.source.equals(source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source;
    }

    /** A part is a piece of a parsed template. */
    sealed interface Part {
        record Text(String text) implements Part {}

        record Value(List<String> path, boolean escaped) implements Part {}

        record If(List<String> path, List<Part> then, List<Part> otherwise) implements Part {}
    }
}
