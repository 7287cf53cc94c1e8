package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Commands a machine over ssh.
 *
 * @param host its name, by which the machine of the tests reaches it
 * @param key the file of a key that lets in as root
 */
record RemoteShell(String host, String key) {
    private static final int SECONDS = 120;

    /** The machine that a variable of the environment names, entered by the key of {@code FAIRLEAD_STOR_KEY}. */
    static RemoteShell named(String variable) {
        return new RemoteShell(variable(variable), variable("FAIRLEAD_STOR_KEY"));
    }

    private static String variable(String name) {
        return Optional.ofNullable(System.getenv(name)).orElse("");
    }

    /** Runs a script to its end, which comes within two minutes, and returns what it said. */
    String run(String script) throws IOException, InterruptedException {
        Process ssh = new ProcessBuilder(List.of(
                        "ssh",
                        "-F",
                        "/dev/null",
                        "-i",
                        key,
                        "-o",
                        "StrictHostKeyChecking=no",
                        "-o",
                        "UserKnownHostsFile=/dev/null",
                        "-o",
                        "LogLevel=ERROR",
                        "-o",
                        "BatchMode=yes",
                        "root@" + host,
                        "timeout -k 5 " + SECONDS + " sh"))
                .redirectErrorStream(true)
                .start();
        try (var input = ssh.getOutputStream()) {
            input.write(script.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(ssh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!ssh.waitFor(1, TimeUnit.MINUTES) || ssh.exitValue() != 0) {
            throw new IOException("on " + host + ": " + said);
        }
        return said;
    }
}
