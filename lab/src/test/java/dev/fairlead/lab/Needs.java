package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** What a suite needs of the machine. Where it is missing the suite is left out and says why. */
public final class Needs {
    private Needs() {}

    static void root() {
        need("root".equals(System.getProperty("user.name")), "it mounts and traces, which takes root");
    }

    public static void program(String name) {
        boolean found = java.util.Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        need(found, name + " is not installed");
    }

    /** Whether this process may trace another one; containers often forbid it. */
    static void tracing() throws IOException, InterruptedException {
        root();
        program("strace");
        Process process = new ProcessBuilder("strace", "-o", "/dev/null", "true").start();
        need(process.waitFor() == 0, "strace may not trace here");
    }

    public static void nothingAgainst(Optional<String> obstacle) {
        need(obstacle.isEmpty(), obstacle.orElse(""));
    }

    private static void need(boolean there, String why) {
        if (!there) {
            System.err.println("LEFT OUT: " + why);
        }
        Assumptions.assumeTrue(there, "left out: " + why);
    }
}
