package dev.fairlead.domain.topology;

import java.util.Optional;

/** What a node can find out about itself; each may be unknown. */
public interface NodeFacts {
    /** The name by which the orchestrator knows the node. */
    Optional<String> nodeName();

    Optional<String> hostname();

    /** The environment variable of this name, if it is set. */
    Optional<String> env(String name);

    /** The text of the file at this path, if it can be read. */
    Optional<String> file(String path);

    /** The value of the label that the orchestrator keeps for the node, if it has it. */
    Optional<String> label(String name);
}
