package dev.fairlead.domain.template;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.template.Template.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reads one template text into its parts. Iterative and bounded, since texts come from outside. */
final class TemplateParser {
    private static final int MAX_SOURCE_CHARS = 65_536;
    private static final int MAX_DEPTH = 32;

    private final String source;
    private final Deque<Block> open = new ArrayDeque<>();
    private List<Part> parts = new ArrayList<>();
    private int at;

    TemplateParser(String source) {
        this.source = source;
    }

    List<Part> parse() {
        if (source.length() > MAX_SOURCE_CHARS) {
            throw refused(0, "the text is longer than " + MAX_SOURCE_CHARS + " characters", "a shorter one");
        }
        while (at < source.length()) {
            int tag = source.indexOf("{{", at);
            if (tag < 0) {
                text(source.length());
            } else if (tag > 0 && source.charAt(tag - 1) == '\\') {
                throw refused(tag, "a backslash before {{ is not supported", "no backslash there");
            } else {
                text(tag);
                tag(tag);
            }
        }
        if (!open.isEmpty()) {
            throw refused(open.peek().start(), "{{#if}} has no end", "{{/if}} after it");
        }
        return List.copyOf(parts);
    }

    private void text(int end) {
        if (end > at) {
            parts.add(new Part.Text(source.substring(at, end)));
        }
        at = end;
    }

    private void tag(int start) {
        if (source.startsWith("{{{{", start)) {
            throw refused(start, "raw blocks are not supported", "{{…}} or {{{…}}}");
        }
        if (source.startsWith("{{!", start)) {
            String close = source.startsWith("{{!--", start) ? "--}}" : "}}";
            end(start, source.indexOf(close, start + 3), close);
            aloneOnLine(start);
            return;
        }
        boolean raw = source.startsWith("{{{", start);
        int from = start + (raw ? 3 : 2);
        String close = raw ? "}}}" : "}}";
        int to = closing(from, close);
        end(start, to, close);
        String body = source.substring(from, to).strip();
        if (raw) {
            parts.add(new Part.Value(path(body, start), false));
        } else if (body.startsWith("#")) {
            opening(body.substring(1).strip(), start);
        } else if (body.startsWith("/")) {
            closing(body.substring(1).strip(), start);
        } else if (body.equals("else")) {
            otherwise(start);
        } else {
            refuseForeign(body, start);
            parts.add(new Part.Value(path(body, start), true));
        }
    }

    /** Returns the position of the tag's closing braces, or -1; braces in a bracketed step do not close the tag. */
    private int closing(int from, String close) {
        int i = from;
        while (i < source.length()) {
            if (source.charAt(i) == '[' && source.indexOf(']', i) > 0) {
                i = source.indexOf(']', i);
            } else if (source.startsWith(close, i)) {
                return i;
            }
            i++;
        }
        return -1;
    }

    private void end(int start, int close, String mark) {
        if (close < 0) {
            throw refused(start, "the tag is not closed", mark + " at its end");
        }
        at = close + mark.length();
    }

    private void opening(String body, int start) {
        if (!body.startsWith("if") || (body.length() > 2 && !Character.isWhitespace(body.charAt(2)))) {
            throw refused(start, "the block {{#" + body + "}} is not supported", "{{#if a.b}}…{{else}}…{{/if}}");
        }
        if (open.size() == MAX_DEPTH) {
            throw refused(start, "{{#if}} is nested more than " + MAX_DEPTH + " deep", "fewer");
        }
        aloneOnLine(start);
        open.push(new Block(start, path(body.substring(2).strip(), start), parts, List.of(), false));
        parts = new ArrayList<>();
    }

    private void otherwise(int start) {
        if (open.isEmpty() || open.peek().inElse()) {
            throw refused(start, "{{else}} stands outside {{#if}}, or twice", "one within {{#if a.b}}…{{/if}}");
        }
        aloneOnLine(start);
        Block block = open.pop();
        open.push(new Block(block.start(), block.path(), block.outer(), List.copyOf(parts), true));
        parts = new ArrayList<>();
    }

    private void closing(String body, int start) {
        if (!body.equals("if") || open.isEmpty()) {
            throw refused(start, "{{/" + body + "}} closes nothing", "{{/if}} after {{#if a.b}}");
        }
        aloneOnLine(start);
        Block block = open.pop();
        List<Part> then = block.inElse() ? block.then() : List.copyOf(parts);
        List<Part> otherwise = block.inElse() ? List.copyOf(parts) : List.of();
        parts = block.outer();
        parts.add(new Part.If(block.path(), then, otherwise));
    }

    /** Removes the line of a tag that has a line to itself, as Handlebars does. */
    private void aloneOnLine(int start) {
        int lineStart = start;
        while (lineStart > 0 && isBlank(source.charAt(lineStart - 1))) {
            lineStart--;
        }
        int lineEnd = at;
        while (lineEnd < source.length() && isBlank(source.charAt(lineEnd))) {
            lineEnd++;
        }
        boolean startsLine = lineStart == 0 || source.charAt(lineStart - 1) == '\n';
        int newline = source.startsWith("\r\n", lineEnd) ? 2 : source.startsWith("\n", lineEnd) ? 1 : 0;
        if (!startsLine || (newline == 0 && lineEnd < source.length())) {
            return;
        }
        if (lineStart < start && parts.getLast() instanceof Part.Text(String text)) {
            parts.removeLast();
            parts.add(new Part.Text(text.substring(0, text.length() - (start - lineStart))));
        }
        at = lineEnd + newline;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private void refuseForeign(String body, int start) {
        if (body.startsWith("~") || body.endsWith("~")) {
            throw refused(start, "whitespace control with ~ is not supported", "{{a.b}}");
        }
        if (body.startsWith(">")) {
            throw refused(start, "partials are not supported", "the partial's text itself");
        }
        if (body.startsWith("^")) {
            throw refused(start, "{{^…}} is not supported", "{{#if a.b}}{{else}}…{{/if}}");
        }
        if (body.startsWith("&")) {
            throw refused(start, "{{&…}} is not supported", "{{{a.b}}}");
        }
        if (body.startsWith("else")) {
            if (body.length() > 4 && Character.isWhitespace(body.charAt(4))) {
                throw refused(start, "{{else if}} is not supported", "{{else}}{{#if a.b}}…{{/if}}");
            }
        }
    }

    private List<String> path(String body, int start) {
        return TemplatePath.parse(body, (what, expected) -> refused(start, what, expected));
    }

    private IllegalArgumentException refused(int position, String what, String expected) {
        String near = source.substring(position, Math.min(source.length(), position + 40));
        return new IllegalArgumentException("template: at character " + (position + 1) + ", " + Excerpt.of(near) + ": "
                + what + " (expected: " + expected + ")");
    }

    private record Block(int start, List<String> path, List<Part> outer, List<Part> then, boolean inElse) {}
}
