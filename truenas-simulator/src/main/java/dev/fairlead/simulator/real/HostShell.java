package dev.fairlead.simulator.real;

/** Runs lines of shell as root on a storage host. */
@FunctionalInterface
public interface HostShell {
    /** Runs them one after the other until one fails, and returns what they printed. */
    String run(String lines);

    /** Puts a word into quotes, so that a shell takes it as it is. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
