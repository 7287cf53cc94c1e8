package dev.fairlead.bootstrap.cli;

import dev.fairlead.domain.failure.StorageException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of a command that changes PersistentVolumes by intents, or only shows its plan. */
final class PlanOptions {
    /** The exit code of a plan by which something would change. */
    static final int CHANGES = 3;

    /** The exit code if something cannot be told, or could not be done. */
    static final int UNKNOWN = 1;

    @Option(names = "--plan", description = "Prints the plan and changes nothing.")
    private boolean plan;

    @Option(names = "--json", description = "What is printed, as JSON.")
    private boolean json;

    @Option(
            names = {"--namespace", "-n"},
            paramLabel = "NS",
            description = "Where the intents are, and the Lease if there is one; default: POD_NAMESPACE, else the"
                    + " access's.")
    private @Nullable String namespace;

    boolean isPlan() {
        return plan;
    }

    boolean isJson() {
        return json;
    }

    /** Returns the namespace that was given; empty if the access to Kubernetes has to say it. */
    Optional<String> namespace(Map<String, String> environment) {
        return Optional.ofNullable(namespace)
                .or(() -> Optional.ofNullable(environment.get("POD_NAMESPACE")))
                .filter(text -> !text.isEmpty());
    }

    /** Says why a plan cannot be told, and returns the exit code. */
    static int untold(Terminal terminal, StorageException thrown) {
        terminal.err()
                .println("fairlead: what would change cannot be told: "
                        + thrown.failure().code() + " " + thrown.failure().message());
        return UNKNOWN;
    }
}
