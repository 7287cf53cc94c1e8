package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.PosixShell;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Several commands that travel to the storage host as one, and end at the first that fails. The exit code tells which
 * one that was; its complaint is on the standard error, what all of them print follows each other.
 */
public final class Steps {
    /**
     * Stands for what {@link #remember} has remembered, as a word of its own in a later step. No word that comes from
     * outside can be the same, since none may hold a NUL.
     */
    public static final String REMEMBERED = "\0remembered";

    private static final int FIRST_CODE = 64;
    private static final int MOST = 60;

    private final List<String> lines = new ArrayList<>();

    /** Adds a command. */
    public Steps then(List<String> argv) {
        return add(line(argv));
    }

    /** Adds commands, each for itself. */
    public Steps thenAll(List<List<String>> commands) {
        commands.forEach(this::then);
        return this;
    }

    /** Adds a command whose output, a line, stands for {@link #REMEMBERED} from there on. */
    public Steps remember(List<String> argv) {
        return add("v=$(" + line(argv) + ")");
    }

    private Steps add(String line) {
        if (lines.size() == MOST) {
            throw new IllegalStateException("more than " + MOST + " steps at once");
        }
        lines.add(line + " || exit " + (FIRST_CODE + lines.size()));
        return this;
    }

    private static String line(List<String> argv) {
        List<String> words = new ArrayList<>();
        for (String word : argv) {
            words.add(word.equals(REMEMBERED) ? "\"$v\"" : PosixShell.quote(word));
        }
        return String.join(" ", words);
    }

    public int size() {
        return lines.size();
    }

    /** The whole, for any shell of POSIX; the shell of the account may be another. */
    public List<String> argv() {
        return List.of("/bin/sh", "-c", String.join("\n", lines));
    }

    /** The step that failed, from 0, where it is one of ours that ended the whole. */
    public OptionalInt failed(int exitCode) {
        int step = exitCode - FIRST_CODE;
        return step >= 0 && step < lines.size() ? OptionalInt.of(step) : OptionalInt.empty();
    }
}
