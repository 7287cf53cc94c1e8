package dev.fairlead.lab;

import dev.fairlead.lab.LabCommand.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The cluster of {@code lab/kube}, by its command: every call has a deadline and tells what the program said. */
final class KubeCluster {
    private static final int LARGEST_ANSWER = 64 << 20;
    private static final int DOWN = 3;
    private static final String KUBE = "kube";

    /** The release that {@code lab/deploy} makes, and its namespace. */
    static final String RELEASE = "fairlead";

    private final Path lab;

    KubeCluster() {
        Path repository = Objects.requireNonNull(Path.of("").toAbsolutePath().getParent(), "run from the module");
        this.lab = repository.resolve("lab");
    }

    /**
     * Installs the chart with the values of that name, or makes what is installed the same.
     *
     * @param options further ones of helm
     */
    void deploy(Duration limit, String values, String... options) throws IOException {
        succeed(run(limit, "deploy", "", prefixed(values, options)));
    }

    /** Takes out what {@link #deploy} installed. */
    void undeploy(Duration limit, String values) throws IOException {
        succeed(run(limit, "deploy", "", List.of("--remove", values)));
    }

    /** A file of the lab's, where it is. */
    Path file(String first, String... more) {
        return lab.resolve(Path.of(first, more));
    }

    /**
     * Puts a file into the release's Secret of connections, as an operator who edits it; an empty one takes it away.
     */
    void connection(String name, String file) throws IOException {
        String value = file.isEmpty()
                ? "null"
                : '"' + Base64.getEncoder().encodeToString(file.getBytes(StandardCharsets.UTF_8)) + '"';
        String patch = "{\"data\": {\"%s.yaml\": %s}}".formatted(name, value);
        kubectl(Duration.ofSeconds(30), "-n", RELEASE, "patch", "secret", RELEASE + "-connections", "--patch", patch);
    }

    boolean isUp() throws IOException {
        Ended status = run(Duration.ofMinutes(1), KUBE, "", List.of("status"));
        if (status.code() != 0 && status.code() != DOWN) {
            throw new IOException(status.toString());
        }
        return status.code() == 0;
    }

    /** Runs kubectl and returns its standard output. */
    String kubectl(Duration limit, String... words) throws IOException {
        return succeed(run(limit, KUBE, "", prefixed("kubectl", words)));
    }

    /** Creates or changes what a manifest describes. */
    void apply(Duration limit, String manifest) throws IOException {
        succeed(run(limit, KUBE, manifest, List.of("kubectl", "apply", "-f", "-")));
    }

    /** What {@code kubectl get … -o json} says, as maps, lists, strings, numbers and booleans. */
    Map<String, Object> get(Duration limit, String... words) throws IOException {
        List<String> command = prefixed("kubectl", "get", "-o", "json");
        command.addAll(List.of(words));
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(LARGEST_ANSWER);
        // JSON is YAML, and this reader is at hand.
        return new Yaml(new SafeConstructor(options)).load(succeed(run(limit, KUBE, "", command)));
    }

    /** Runs a command as root on a node. */
    String onNode(Duration limit, String node, String... command) throws IOException {
        List<String> words = prefixed("node", "enter", node);
        words.addAll(List.of(command));
        return succeed(run(limit, KUBE, "", words));
    }

    /** Any other command of {@code lab/kube}. */
    String lab(Duration limit, String... words) throws IOException {
        return succeed(run(limit, KUBE, "", List.of(words)));
    }

    private static List<String> prefixed(String first, String... more) {
        List<String> words = new ArrayList<>(List.of(first));
        words.addAll(List.of(more));
        return words;
    }

    private static String succeed(Ended ended) throws IOException {
        if (ended.code() != 0) {
            throw new IOException(ended.toString());
        }
        return ended.output();
    }

    private static Ended run(Duration limit, String script, String input, List<String> words) throws IOException {
        return new LabCommand(script).end(limit, input, words);
    }
}
