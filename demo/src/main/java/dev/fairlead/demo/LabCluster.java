package dev.fairlead.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Controls the cluster of {@code lab/kube} by its commands. Their messages of progress go to standard error.
 *
 * @param scripts the folder of the commands
 */
record LabCluster(Path scripts) {
    private static final int DOWN = 3;

    /** Returns the cluster of the source tree that the launcher is in; empty in an image, which has none. */
    static Optional<LabCluster> of(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("FAIRLEAD_LAUNCHER"))
                .map(launcher -> Path.of(launcher).resolveSibling("lab"))
                .filter(folder -> Files.isExecutable(folder.resolve("kube")))
                .map(LabCluster::new);
    }

    boolean isUp() throws IOException, InterruptedException {
        Ended status = run("kube", "", List.of("status"));
        if (status.code() != 0 && status.code() != DOWN) {
            throw new IllegalStateException(status.reason());
        }
        return status.code() == 0;
    }

    /** Runs kubectl, and answers what it printed, without the last line's end. */
    String kubectl(String... words) throws IOException, InterruptedException {
        return kubectl("", List.of(words));
    }

    /** Creates what a manifest describes. */
    void create(String manifest) throws IOException, InterruptedException {
        kubectl(manifest, List.of("create", "-f", "-"));
    }

    /** Runs a command of the lab that may take long. */
    void tell(String script, String... words) throws IOException, InterruptedException {
        List<String> command = command(script, List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + code);
        }
    }

    private String kubectl(String input, List<String> words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("kubectl"));
        all.addAll(words);
        Ended ended = run("kube", input, all);
        if (ended.code() != 0) {
            throw new IllegalStateException("kubectl " + String.join(" ", words) + ": " + ended.reason());
        }
        return ended.output().stripTrailing();
    }

    private Ended run(String script, String input, List<String> words) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("fairlead-demo", ".errors");
        // The input is a file, since a command may end before it has read all of it.
        Path given = Files.writeString(Files.createTempFile("fairlead-demo", ".input"), input);
        try {
            Process process = new ProcessBuilder(command(script, words))
                    .redirectInput(given.toFile())
                    .redirectError(errors.toFile())
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output, Files.readString(errors));
        } finally {
            Files.deleteIfExists(errors);
            Files.deleteIfExists(given);
        }
    }

    private List<String> command(String script, List<String> words) {
        List<String> command = new ArrayList<>(List.of(scripts.resolve(script).toString()));
        command.addAll(words);
        return command;
    }

    private record Ended(int code, String output, String errors) {
        String reason() {
            return (errors.isBlank() ? output : errors).strip().replace('\n', ' ');
        }
    }
}
