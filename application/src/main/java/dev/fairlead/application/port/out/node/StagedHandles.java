package dev.fairlead.application.port.out.node;

import java.nio.file.Path;
import java.util.Optional;

/** Tells which volume is staged at a path, for volumes that need no entry in the journal. */
@FunctionalInterface
public interface StagedHandles {
    StagedHandles UNKNOWN = _ -> Optional.empty();

    /** Returns the handle of the volume that the orchestrator stages at this path; empty if it is not known. */
    Optional<String> at(Path staging);

    /** Returns what is another once the orchestrator stages a volume there anew; empty if it stages none. */
    default Optional<String> note(Path staging) {
        return at(staging);
    }

    /** Returns whether the orchestrator gives what is staged there to a pod: it unstages nothing as long as it does. */
    default boolean isOfPod(Path staging) {
        return at(staging).isPresent();
    }
}
