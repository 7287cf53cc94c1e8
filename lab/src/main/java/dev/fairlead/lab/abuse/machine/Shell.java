package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of this machine, to mount, and to make and count trees that are too deep for a path. */
public final class Shell {
    private Shell() {}

    /** Runs a program and returns what it printed; throws if its exit code is not 0. */
    public static String run(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", words) + " ended with " + code + ": " + output);
        }
        return output;
    }

    /** Runs a Python script with arguments, and returns what it printed. */
    public static String python(String script, Object... arguments) throws IOException, InterruptedException {
        String[] words = new String[3 + arguments.length];
        words[0] = "python3";
        words[1] = "-c";
        words[2] = script;
        for (int i = 0; i < arguments.length; i++) {
            words[3 + i] = String.valueOf(arguments[i]);
        }
        return run(words);
    }
}
