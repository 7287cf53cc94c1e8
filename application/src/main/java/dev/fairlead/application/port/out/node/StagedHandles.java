package dev.fairlead.application.port.out.node;

import java.nio.file.Path;
import java.util.Optional;

/** Tells which volume is staged at a path, for volumes that need no entry in the journal. */
@FunctionalInterface
public interface StagedHandles {
    StagedHandles UNKNOWN = _ -> Optional.empty();

    /** Returns the handle of the volume that the orchestrator stages at this path; empty if it is not known. */
    Optional<String> at(Path staging);
}
