package dev.fairlead.adapter.zfs.fake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes apart what {@code Steps} puts together, by the rules of a POSIX shell and nothing of its source. */
final class ShellScript {
    private static final Pattern LINE = Pattern.compile("(?s)(v=\\$\\()?(.*?)(\\))? \\|\\| exit (\\d+)");
    private static final Pattern UNDOING = Pattern.compile("(?s)(.*?) \\|\\| \\{ ((?:.*?; )+)exit (\\d+); }");
    private static final Pattern REMOVAL = Pattern.compile(
            "(?s)e=\\$\\((.*?) 2>&1\\); ! (.*?) >/dev/null 2>&1 \\|\\| \\{ echo \"\\$e\" >&2; exit (\\d+); }");
    private static final Pattern EXPECTING = Pattern.compile("(?s)v=\\$\\((.*?)\\) && \\{ (\\[ \"\\$v\" = .*?)"
            + "(?: \\|\\| \\{ printf '%s%s\\\\n' (.*?) \"\\$v\" >&2; false; })?; } \\|\\| exit (\\d+)");
    private static final Pattern DIGEST =
            Pattern.compile("(?s)v=\\$\\((.*?)\\) && \\[ \"\\$\\(printf '%s\\\\n' \"\\$v\""
                    + " \\| (LC_ALL=C sort \\| cksum)\\)\" = (.*?) ] \\|\\| exit (\\d+)");
    private static final Pattern UNLESS =
            Pattern.compile("(?s)v=\\$\\((.*?)\\) && \\{ \\[ -n \"\\$v\" ] \\|\\| (.*?); } \\|\\| exit (\\d+)");
    private static final Pattern TEXT = Pattern.compile("(?s)\\[ \"\\$v\" = \"\\$\\(printf '%s\\\\n' (.*)\\)\" ]");
    private static final String GREP = " && \\{ printf '%s\\\\n' \"\\$v\" \\| LC_ALL=C grep -Fxq -e (.*);"
            + " \\[ \\$\\? = 1 ]; } \\|\\| exit (\\d+)";
    private static final Pattern LACKING = Pattern.compile("(?s)v=\\$\\((.*?)\\)" + GREP);
    private static final Pattern LACKING_IN =
            Pattern.compile("(?s)\\{ v=\\$\\((.*?) 2>/dev/null\\) \\|\\| ! (.*?) >/dev/null 2>&1; }" + GREP);

    private static final String LINES =
            "(?s)if \\[ -e /proc/version ]; then \\{ s=; .*?LC_ALL=C (grep .*?)\\) \\|\\| .*?; fi; } && ";
    private static final Pattern ROW = Pattern.compile(
            LINES + "printf '%s\\\\t%s\\\\t%s\\\\thost\\\\n' (.*?) \"\\$s\"; else .*; fi \\|\\| exit (\\d+)");
    private static final Pattern NONE_BUT = Pattern.compile(
            LINES + "\\{ \\[ -z \"\\$s\" ] \\|\\| \\[ \"\\$s\" = (.*?) ] \\|\\| \\{ printf .*; fi \\|\\| exit (\\d+)");

    private static final Pattern REMOVE_WHERE = Pattern.compile(
            LINES + "if \\[ \"\\$s\" = (.*?) ]; then e=\\$\\((.*?) 2>&1\\); .*; fi; fi \\|\\| exit (\\d+)");

    private static final Pattern CLOSING =
            Pattern.compile("(?s)trap 'c=\\$\\?; (.*?)\\{ echo .*? >&2; (.*?) >&2 2>/dev/null; }; exit \\$c' 0");

    private static final Pattern TELLING = Pattern.compile("(?s)(.*) >&2 2>/dev/null \\|\\| true");

    private ShellScript() {}

    /** What a step does with its command. */
    sealed interface Then {
        /** What it prints is printed, and where it fails these are run. */
        record Print(List<List<String>> undo) implements Then {}

        /** What it prints becomes the variable. */
        record Remember() implements Then {}

        /** Whatever it said, this is not there afterwards. */
        record Look(String target) implements Then {}

        /** What it prints is one of these, or ends the complaint. */
        record Expect(List<String> texts, String complaint) implements Then {}

        /** What it prints, as the input of this, makes this of it. */
        record Digest(String filter, String expected) implements Then {}

        /** No line of what it prints is this one; it may fail where the target is not there. */
        record Lack(String line, Optional<String> target) implements Then {}

        /** Where it prints nothing, this is run. */
        record Unless(List<String> argv) implements Then {}

        /** What it prints goes to the standard error, and it may fail. */
        record Tell() implements Then {}

        /** Once the script has ended, its output goes to the standard error. */
        record Close(boolean always) implements Then {}

        /** What it finds is printed as a property. */
        record Row(String target, String property) implements Then {}

        /** It finds nothing, or this. */
        record NoneBut(String line) implements Then {}

        /** Where it finds this, it takes it away. */
        record RemoveWhere(String line, List<String> removal) implements Then {}
    }

    /** A step. */
    record Line(List<String> argv, Then then, int exitCode) {
        /** Whether it is a look before the first step, and none itself. */
        boolean isPreface() {
            return exitCode < 64;
        }
    }

    static List<Line> lines(String script) {
        // A value may hold line breaks: a step ends at its exit.
        return Arrays.stream(script.split(
                        "(?<=(?: \\|\\||;) exit \\d{2,3}(?:; }|)|2>/dev/null \\|\\| true| exit \\$c' 0)\n", -1))
                .map(ShellScript::line)
                .toList();
    }

    private static Line line(String text) {
        Matcher m = TELLING.matcher(text);
        if (m.matches()) {
            return new Line(words(m.group(1)), new Then.Tell(), 0);
        }
        m = CLOSING.matcher(text);
        if (m.matches()) {
            return new Line(
                    words(m.group(2).replace("'\\''", "'")),
                    new Then.Close(m.group(1).isEmpty()),
                    0);
        }
        m = EXPECTING.matcher(text);
        if (m.matches()) {
            return line(
                    m,
                    new Then.Expect(
                            texts(m.group(2)),
                            m.group(3) == null ? "" : words(m.group(3)).getFirst()));
        }
        m = DIGEST.matcher(text);
        if (m.matches()) {
            return line(m, new Then.Digest(m.group(2), words(m.group(3)).getFirst()));
        }
        m = UNLESS.matcher(text);
        if (m.matches()) {
            return line(m, new Then.Unless(words(m.group(2))));
        }
        m = ROW.matcher(text);
        if (m.matches()) {
            List<String> row = words(m.group(2));
            return line(m, new Then.Row(row.getFirst(), row.getLast()));
        }
        m = NONE_BUT.matcher(text);
        if (m.matches()) {
            return line(m, new Then.NoneBut(words(m.group(2)).getFirst()));
        }
        m = REMOVE_WHERE.matcher(text);
        if (m.matches()) {
            return line(m, new Then.RemoveWhere(words(m.group(2)).getFirst(), words(m.group(3))));
        }
        m = LACKING.matcher(text);
        if (m.matches()) {
            return line(m, new Then.Lack(words(m.group(2)).getFirst(), Optional.empty()));
        }
        m = LACKING_IN.matcher(text);
        if (m.matches()) {
            return line(
                    m,
                    new Then.Lack(
                            words(m.group(3)).getFirst(),
                            Optional.of(words(m.group(2)).getLast())));
        }
        m = REMOVAL.matcher(text);
        if (m.matches()) {
            return line(m, new Then.Look(words(m.group(2)).getLast()));
        }
        m = UNDOING.matcher(text);
        if (m.matches()) {
            return line(
                    m,
                    new Then.Print(Pattern.compile("; ")
                            .splitAsStream(m.group(2))
                            .map(ShellScript::words)
                            .toList()));
        }
        m = LINE.matcher(text);
        if (!m.matches()) {
            throw new AssertionError("no step: " + text);
        }
        boolean remembers = m.group(1) != null;
        String command = m.group(2) + (remembers || m.group(3) == null ? "" : m.group(3));
        return new Line(
                words(command),
                remembers ? new Then.Remember() : new Then.Print(List.of()),
                Integer.parseInt(m.group(4)));
    }

    /** The first group is the command, and the last the exit code. */
    private static Line line(Matcher matcher, Then then) {
        return new Line(words(matcher.group(1)), then, Integer.parseInt(matcher.group(matcher.groupCount())));
    }

    private static List<String> texts(String comparisons) {
        return Pattern.compile(" \\|\\| ")
                .splitAsStream(comparisons)
                .map(text -> {
                    Matcher one = TEXT.matcher(text);
                    if (!one.matches()) {
                        throw new AssertionError("no comparison: " + text);
                    }
                    return String.join("\n", words(one.group(1)));
                })
                .toList();
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
