package dev.fairlead.adapter.zfs.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes apart what {@code Steps} puts together, by the rules of a POSIX shell and nothing of its source. */
final class ShellScript {
    private static final Pattern LINE = Pattern.compile("(?s)(v=\\$\\()?(.*?)(\\))? \\|\\| exit (\\d+)");
    private static final Pattern UNDOING = Pattern.compile("(?s)(.*?) \\|\\| \\{ ((?:.*?; )+)exit (\\d+); }");
    private static final Pattern REMOVAL = Pattern.compile(
            "(?s)e=\\$\\((.*?) 2>&1\\); ! (.*?) >/dev/null 2>&1 \\|\\| " + "\\{ echo \"\\$e\" >&2; exit (\\d+); }");

    private static final Pattern EXPECTATION =
            Pattern.compile("(?s)v=\\$\\((.*?)\\) && \\{ (\\[ \"\\$v\" = .*); } \\|\\| exit (\\d+)");
    private static final Pattern TEXT = Pattern.compile("(?s)\\[ \"\\$v\" = \"\\$\\(printf '%s\\\\n' (.*)\\)\" ]");

    private ShellScript() {}

    /**
     * A step.
     *
     * @param remembers whether its output becomes the variable
     * @param absent what must not be there afterwards, whatever the command said
     * @param undo what is run where the command fails
     * @param expected the texts of which its output has to be one, where it is held to any
     */
    record Line(
            List<String> argv,
            boolean remembers,
            List<String> absent,
            List<List<String>> undo,
            List<String> expected,
            int exitCode) {}

    private static Line expectation(Matcher matcher) {
        List<String> texts = Pattern.compile(" \\|\\| ")
                .splitAsStream(matcher.group(2))
                .map(text -> {
                    Matcher one = TEXT.matcher(text);
                    if (!one.matches()) {
                        throw new AssertionError("no text: " + text);
                    }
                    return String.join("\n", words(one.group(1)));
                })
                .toList();
        return new Line(
                words(matcher.group(1)), false, List.of(), List.of(), texts, Integer.parseInt(matcher.group(3)));
    }

    static List<Line> lines(String script) {
        List<Line> lines = new ArrayList<>();
        // A value may hold line breaks: a step ends at its exit.
        for (String text : script.split("(?<=(?: \\|\\||;) exit \\d{2,3}(?:; }|))\n", -1)) {
            Matcher expectation = EXPECTATION.matcher(text);
            if (expectation.matches()) {
                lines.add(expectation(expectation));
                continue;
            }
            Matcher removal = REMOVAL.matcher(text);
            if (removal.matches()) {
                lines.add(new Line(
                        words(removal.group(1)),
                        false,
                        words(removal.group(2)),
                        List.of(),
                        List.of(),
                        Integer.parseInt(removal.group(3))));
                continue;
            }
            Matcher undoing = UNDOING.matcher(text);
            if (undoing.matches()) {
                List<List<String>> undo = Pattern.compile("; ")
                        .splitAsStream(undoing.group(2))
                        .map(ShellScript::words)
                        .toList();
                lines.add(new Line(
                        words(undoing.group(1)),
                        false,
                        List.of(),
                        undo,
                        List.of(),
                        Integer.parseInt(undoing.group(3))));
                continue;
            }
            Matcher matcher = LINE.matcher(text);
            if (!matcher.matches()) {
                throw new AssertionError("no step: " + text);
            }
            boolean remembers = matcher.group(1) != null;
            String command = matcher.group(2) + (remembers || matcher.group(3) == null ? "" : matcher.group(3));
            lines.add(new Line(
                    words(command), remembers, List.of(), List.of(), List.of(), Integer.parseInt(matcher.group(4))));
        }
        return lines;
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        var word = new StringBuilder();
        boolean in = false;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            switch (c) {
                case '\'' -> {
                    int end = command.indexOf('\'', i + 1);
                    word.append(command, i + 1, end);
                    i = end;
                    in = true;
                }
                case '\\' -> {
                    word.append(command.charAt(++i));
                    in = true;
                }
                case '"' -> {
                    int end = command.indexOf('"', i + 1);
                    word.append(command, i + 1, end);
                    i = end;
                    in = true;
                }
                case ' ' -> {
                    if (in) {
                        words.add(word.toString());
                    }
                    word.setLength(0);
                    in = false;
                }
                default -> {
                    word.append(c);
                    in = true;
                }
            }
        }
        if (in) {
            words.add(word.toString());
        }
        return words;
    }
}
