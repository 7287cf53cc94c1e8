package dev.fairlead.simulator.real;

import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.error.ErrorNumber;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The shell of a host that lab/storage runs, by the machine's own ssh and by the session that the lab keeps open. */
public final class SshHostShell implements HostShell {
    private static final int LIMIT_SECONDS = 180;

    private final List<String> command;

    /** Finds the host by the folder of its state. */
    public SshHostShell(Path state) {
        this.command = List.of(
                "ssh",
                "-F",
                "/dev/null",
                "-p",
                port(state),
                "-i",
                state.resolve("keys/plain").toString(),
                "-o",
                "IdentitiesOnly=yes",
                "-o",
                "IdentityAgent=none",
                "-o",
                "UserKnownHostsFile=" + state.resolve("known_hosts"),
                "-o",
                "StrictHostKeyChecking=yes",
                "-o",
                "BatchMode=yes",
                "-o",
                "ConnectTimeout=15",
                "-o",
                "LogLevel=ERROR",
                "-o",
                "ControlPath=" + state.resolve("session"),
                "root@127.0.0.1",
                "sh -eu");
    }

    private static String port(Path state) {
        try {
            return Files.readAllLines(state.resolve("ports")).stream()
                    .filter(line -> line.startsWith("ssh="))
                    .map(line -> line.substring("ssh=".length()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(state
                            + " has no port of ssh (expected: the state of a host that lab/storage has started)"));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    state + " is not the state of a storage host that is up (try: lab/storage up)", e);
        }
    }

    @Override
    public String run(String lines) {
        try {
            Path errors = Files.createTempFile("simulator-", ".errors");
            try {
                return run(lines, errors);
            } finally {
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            throw new IllegalStateException("The shell of the storage host fails", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        }
    }

    private String run(String lines, Path errors) throws IOException, InterruptedException {
        Path output = Files.createTempFile("simulator-", ".output");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(lines.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw failed("no answer of the storage host within " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) throw failed(Files.readString(errors).strip());
            return Files.readString(output);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static ApiFailure failed(String text) {
        return ApiFailure.call(text.endsWith("is busy") ? ErrorNumber.EBUSY : ErrorNumber.EFAULT, text);
    }
}
