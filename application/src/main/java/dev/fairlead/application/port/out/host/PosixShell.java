package dev.fairlead.application.port.out.host;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Quotes words for a POSIX shell. No other class makes text for a shell. */
public final class PosixShell {
    /** The words that need no quotes as an argument of a program. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%_+:,./-]+");

    private PosixShell() {}

    /** Returns a line that runs the program named by the first word with the others as its arguments, all unchanged. */
    public static String line(List<String> words) {
        return IntStream.range(0, words.size())
                .mapToObj(i -> i == 0 ? command(words.get(i)) : quote(words.get(i)))
                .collect(Collectors.joining(" "));
    }

    /** Returns one argument, quoted if it needs quotes. */
    public static String quote(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("word: has a NUL (expected: none, since no program can be given one)");
        }
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }

    /**
     * Returns the name of a program, quoted unless it has a slash, since a bare name could be a keyword or an alias.
     */
    private static String command(String word) {
        String argument = quote(word);
        return argument.contains("/") ? argument : quoted(word);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
