package dev.fairlead.domain.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the path in a tag: names joined by dots, a name in brackets if it holds other characters. */
final class TemplatePath {
    private static final Pattern STEP = Pattern.compile("\\[([^\\]]*)\\]|([^\\s!\"#%&'()*+,./;<=>@\\[\\\\\\]^`{|}~]+)");

    /** Handlebars reads these, bare, as something other than a name. */
    private static final Set<String> RESERVED = Set.of(
            "if",
            "unless",
            "each",
            "with",
            "lookup",
            "log",
            "else",
            "this",
            "as",
            "true",
            "false",
            "null",
            "undefined",
            "helperMissing",
            "blockHelperMissing");

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final String EXPECTED = "a path such as name, parameters.key or parameters.[any key]";

    private TemplatePath() {}

    static List<String> parse(String body, BiFunction<String, String, IllegalArgumentException> refusal) {
        if (body.isEmpty()) {
            throw refusal.apply("the tag names nothing", EXPECTED);
        }
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(body);
        int at = 0;
        while (true) {
            if (!step.find(at) || step.start() != at) {
                throw refusal.apply("this is not a path of names", EXPECTED);
            }
            String literal = step.group(1);
            String name = literal == null ? plain(step.group(), steps.isEmpty(), refusal) : literal;
            steps.add(name);
            at = step.end();
            if (at == body.length()) {
                return List.copyOf(steps);
            }
            if (Character.isWhitespace(body.charAt(at))) {
                throw refusal.apply("helpers and arguments are not supported", EXPECTED);
            }
            if (body.charAt(at) != '.') {
                throw refusal.apply("this is not a path of names", EXPECTED);
            }
            at++;
        }
    }

    private static String plain(
            String name, boolean first, BiFunction<String, String, IllegalArgumentException> refusal) {
        if (NUMBER.matcher(name).matches()) {
            throw refusal.apply("numbers are not supported", "[" + name + "] for a key of that name");
        }
        if (first && RESERVED.contains(name)) {
            throw refusal.apply(name + " is not supported", EXPECTED);
        }
        return name;
    }
}
