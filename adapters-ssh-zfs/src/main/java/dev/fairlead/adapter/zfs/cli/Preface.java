package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.PosixShell;
import java.util.List;

/**
 * Adds to a script what it does around its steps: it looks before the first at what has to be so, or at what its caller
 * wants to learn, and tells at its end what has become of that. It travels with the steps and is none of them.
 *
 * @param script whole lines
 */
public record Preface(String script) {
    public static final Preface NONE = new Preface("");

    /** A line of its own on the standard error: after it comes the output of {@link #closing}. */
    public static final String CLOSING = "fairlead: parents at the end";

    /** Returns whether the script ended at such a check. */
    public static boolean ended(int exitCode) {
        return exitCode == Steps.PREFACE_CODE;
    }

    /** Adds a check of what a command prints: the script ends if the command fails or prints other lines than these. */
    public Preface expecting(List<String> argv, List<String> lines) {
        return expectingOneOf(argv, List.of(lines));
    }

    /** Expects one of several texts that it may print. */
    public Preface expectingOneOf(List<String> argv, List<List<String>> texts) {
        return new Preface(script + Steps.expecting(argv, texts) + " || exit " + Steps.PREFACE_CODE + "\n");
    }

    /** Adds a command whose output goes to the standard error and whose failure is ignored. */
    public Preface telling(List<String> argv) {
        return new Preface(script + Steps.line(argv) + " >&2 2>/dev/null || true\n");
    }

    /**
     * Adds a look at the end of the script, however that comes about, whose output goes to the standard error.
     *
     * @param always also if all steps have succeeded
     */
    public Preface closing(List<String> argv, boolean always) {
        String look = "c=$?; " + (always ? "" : "[ $c -lt " + Steps.FIRST_CODE + " ] || ") + "{ echo '" + CLOSING
                + "' >&2; " + Steps.line(argv) + " >&2 2>/dev/null; }; exit $c";
        return new Preface(script + "trap " + PosixShell.quote(look) + " 0\n");
    }
}
