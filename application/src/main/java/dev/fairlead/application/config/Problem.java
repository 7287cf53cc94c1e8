package dev.fairlead.application.config;

/**
 * Describes one problem of a configuration.
 *
 * @param source the file's name
 * @param line from 1; 0 if unknown
 * @param path the key, dotted, such as {@code local-hostpath.shareBasePath}; empty for the whole file; cut to 200
 *     characters
 * @param what what is wrong
 * @param remedy what to write instead
 */
public record Problem(Severity severity, String source, int line, String path, String what, String remedy) {
    private static final int LONGEST_PATH = 200;

    public Problem {
        path = path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH) + "…";
    }

    /** An error keeps the file from being used; a note is of what may be wanted as it is. */
    public enum Severity {
        ERROR,
        WARNING,
        NOTE
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    public boolean isNote() {
        return severity == Severity.NOTE;
    }

    @Override
    public String toString() {
        String place = source + (line > 0 ? ":" + line : "");
        String key = path.isEmpty() ? "" : " " + path + ":";
        return place + ":" + key + " " + what + (remedy.isEmpty() ? "" : " (" + remedy + ")");
    }
}
