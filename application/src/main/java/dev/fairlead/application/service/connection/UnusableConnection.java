package dev.fairlead.application.service.connection;

import dev.fairlead.domain.failure.Failure;
import java.util.Optional;

/** Tells a node why the connection of a handle cannot be used, if the connections are in its process. */
@FunctionalInterface
public interface UnusableConnection {
    /** The implementation for a node without connections in its process, which cannot tell. */
    UnusableConnection ELSEWHERE = _ -> Optional.empty();

    /** Returns why the connection cannot be used; empty if it can, or if nothing is known of it. */
    Optional<Failure> of(String handle);
}
