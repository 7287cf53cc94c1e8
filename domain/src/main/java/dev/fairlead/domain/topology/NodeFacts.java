package dev.fairlead.domain.topology;

import java.util.Optional;

/** Returns what a node can find out about itself; each fact may be unknown. */
public interface NodeFacts {
    /** Returns the name by which the orchestrator knows the node. */
    Optional<String> nodeName();

    Optional<String> hostname();

    /** Returns the environment variable of this name, if it is set. */
    Optional<String> env(String name);

    /** Returns the text of the file at this path, if it can be read. */
    Optional<String> file(String path);

    /** Returns the value of this label of the node as the orchestrator keeps it, if the node has it. */
    Optional<String> label(String name);
}
