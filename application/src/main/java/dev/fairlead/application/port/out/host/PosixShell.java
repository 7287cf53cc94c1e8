package dev.fairlead.application.port.out.host;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Words as a POSIX shell reads them. The one place where text for a shell is made. */
public final class PosixShell {
    /** Means itself, wherever it stands after the first word. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%_+:,./-]+");

    private PosixShell() {}

    /** A line that runs the first of these words with the others as its arguments, each exactly as it is. */
    public static String line(List<String> words) {
        return IntStream.range(0, words.size())
                .mapToObj(i -> i == 0 ? command(words.get(i)) : quote(words.get(i)))
                .collect(Collectors.joining(" "));
    }

    /** One argument. */
    public static String quote(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("word: has a NUL (expected: none, since no program can be given one)");
        }
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }

    /** The name of a program, which unquoted could be a keyword or an alias. */
    private static String command(String word) {
        String argument = quote(word);
        return argument.contains("/") ? argument : quoted(word);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
