package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.out.host.Tools;
import dev.fairlead.application.port.out.host.Tools.Tool;
import dev.fairlead.application.port.out.node.MountPropagation;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.bootstrap.node.ThisNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at a node before it serves, and tells once it does which programs it has. */
final class NodeStart {
    private static final Logger log = LoggerFactory.getLogger(NodeStart.class);

    /** The time that the first calls have for themselves. */
    private static final Duration FIRST_CALLS = Duration.ofSeconds(5);

    /** The longest time in which programs are asked. */
    private static final Duration ASKING = Duration.ofMinutes(1);

    private final ThisNode node;
    private final MountPropagation propagation;
    private final Tools tools;
    private final WorkFactory works;
    private final Executor threads;

    /** @param threads gives each task a thread of its own, since programs may hang */
    NodeStart(ThisNode node, MountPropagation propagation, Tools tools, WorkFactory works, Executor threads) {
        this.node = node;
        this.propagation = propagation;
        this.tools = tools;
        this.works = works;
        this.threads = threads;
    }

    /**
     * Reads what the node has to know of itself.
     *
     * @throws dev.fairlead.domain.failure.StorageException if pods would not see what it mounts, or the orchestrator
     *     cannot be asked for the labels that it needs
     */
    void look() {
        propagation.check();
        node.look();
    }

    /** Compares what pools say of the node with what the orchestrator knows; if it cannot be asked, that waits. */
    void compare() {
        node.compare();
    }

    /** Logs the versions of the node's programs in a while; nobody waits for it. */
    void tell() {
        threads.execute(this::tellNow);
    }

    private void tellNow() {
        try {
            Backoff.pause(FIRST_CALLS);
            Work work = works.begin("start", "asking programs for their versions", Optional.of(ASKING), () -> false);
            List<Tool> all = tools.versions(work);
            log.atInfo()
                    .addKeyValue("programs", words(all, Tool::isThere))
                    .addKeyValue("missing", words(all, tool -> !tool.isThere()))
                    .log("the programs of this node; only those that its driver types need have to be there");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String words(List<Tool> all, Predicate<Tool> wanted) {
        return all.stream()
                .filter(wanted)
                .map(tool -> tool.name() + (tool.isThere() ? " " + tool.version() : "") + " (" + tool.source() + ")")
                .collect(Collectors.joining(", "));
    }
}
