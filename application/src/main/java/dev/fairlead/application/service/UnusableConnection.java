package dev.fairlead.application.service;

import dev.fairlead.domain.failure.Failure;
import java.util.Optional;

/** Tells a node why the connection of a handle cannot be used, where the connections are in its process. */
@FunctionalInterface
public interface UnusableConnection {
    /** Where connections are elsewhere, a node cannot tell. */
    UnusableConnection ELSEWHERE = _ -> Optional.empty();

    /** Empty where the connection can be used, or nothing is known of it. */
    Optional<Failure> of(String handle);
}
