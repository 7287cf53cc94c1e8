package dev.fairlead.adapter.zfs.cli;

import java.util.List;

/**
 * What a script does before its first step: it looks at what has to be so, or at what its caller wants to learn. It
 * travels with the steps and is none of them.
 *
 * @param script whole lines
 */
public record Preface(String script) {
    public static final Preface NONE = new Preface("");

    /** Whether a script has ended at such a look. */
    public static boolean ended(int exitCode) {
        return exitCode == Steps.PREFACE_CODE;
    }

    /** Adds a look at what a command prints: the script ends where it fails or prints other lines than these. */
    public Preface expecting(List<String> argv, List<String> lines) {
        return new Preface(script + Steps.expecting(argv, List.of(lines)) + " || exit " + Steps.PREFACE_CODE + "\n");
    }

    /** Adds a look whose output goes to the standard error, and whose failure is nothing. */
    public Preface telling(List<String> argv) {
        return new Preface(script + Steps.line(argv) + " >&2 2>/dev/null || true\n");
    }
}
