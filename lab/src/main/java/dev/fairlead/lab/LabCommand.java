package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs a script of this folder: it has a deadline, and where it fails it is told what it said.
 *
 * @param environment what it gets besides that of this process
 */
public record LabCommand(String script, Map<String, String> environment) {
    public LabCommand(String script) {
        this(script, Map.of());
    }

    /** Runs it and returns its standard output. */
    public String run(Duration limit, String input, List<String> words) throws IOException {
        Ended ended = end(limit, input, words);
        if (ended.code() != 0) {
            throw new IOException(ended.toString());
        }
        return ended.output();
    }

    /** Runs it, however it ends. */
    public Ended end(Duration limit, String input, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(folder().resolve(script).toString()));
        command.addAll(words);
        Path said = Files.createTempDirectory("lab-command");
        Path in = Files.writeString(said.resolve("in"), input);
        Path out = said.resolve("out");
        Path err = said.resolve("err");
        try {
            // Files, not pipes: what the command leaves running in the background would keep a pipe open.
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException("not done after %s: %s%n%s".formatted(limit, words, Files.readString(err)));
            }
            return new Ended(script, words, process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted: " + words, e);
        } finally {
            for (Path file : List.of(in, out, err, said)) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the lab's folder, for a process that runs in the project's folder or in that of a module. */
    private static Path folder() {
        Path here = Path.of("").toAbsolutePath();
        Path module = Objects.requireNonNull(here.getParent(), "run from the project or from a module");
        return Files.isDirectory(here.resolve("lab")) ? here.resolve("lab") : module.resolve("lab");
    }

    /**
     * Tells how a script ended.
     *
     * @param output what it printed on standard output
     */
    public record Ended(String script, List<String> words, int code, String output, String errors) {
        @Override
        public String toString() {
            return "lab/%s %s ended with %d%n%s%n%s".formatted(script, String.join(" ", words), code, errors, output);
        }
    }
}
