package dev.fairlead.application.port.out.node;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Returns those paths whose volume the orchestrator gives to a pod: it unstages nothing as long as it does. */
    default Set<Path> ofPods(Set<Path> staging) {
        return staging.stream().filter(path -> at(path).isPresent()).collect(Collectors.toSet());
    }
}
