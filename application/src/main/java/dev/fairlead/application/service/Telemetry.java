package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.util.Optional;

/** Is told what metrics count. Implementations are quick and never throw. */
public interface Telemetry {
    Telemetry NONE = new Telemetry() {};

    /** One change to the outside world was tried. */
    default void effect(Tried tried) {}

    /** A call gave up waiting for this connection; what it had begun may still be stuck there. */
    default void abandoned(ConnectionName connection) {}

    /** A connection could not be asked, and a new volume goes elsewhere without knowing whether it is there already. */
    default void passedOver(ConnectionName connection) {}

    /** A volume was found here by its name, and its class leads here no more. */
    default void foundElsewhere(ConnectionName connection) {}

    /** A version of a connection's file is in force. */
    default void installed(ConnectionName connection) {}

    /** A connection's file cannot be used; {@code working} says whether an earlier version of it goes on. */
    default void rejected(ConnectionName connection, boolean working) {}

    /** A connection's file is gone. */
    default void removed(ConnectionName connection) {}

    /** The last call on a version that was replaced, removed or let go of has ended, and its clients are closed. */
    default void closed(ConnectionName connection) {}

    /**
     * A change to the outside world that was tried.
     *
     * @param connection on whose storage; empty for what a node does to itself
     */
    record Tried(Effect effect, Optional<ConnectionName> connection, Duration took, boolean succeeded) {}
}
