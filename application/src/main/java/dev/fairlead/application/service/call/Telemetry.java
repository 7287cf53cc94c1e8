package dev.fairlead.application.service.call;

import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Receives the events that metrics count. Implementations are quick and never throw. */
public interface Telemetry {
    Telemetry NONE = new Telemetry() {};

    /** Notes that a change to the outside world was tried. */
    default void effect(Tried tried) {}

    /**
     * Notes that a call was refused or gave up waiting for this connection; what it had begun may still be stuck there.
     */
    default void abandoned(ConnectionName connection) {}

    /**
     * Notes that a connection could not be asked and was passed over; a new volume may be made elsewhere although it is
     * there already.
     */
    default void passedOver(ConnectionName connection) {}

    /** Notes that a volume was found on this connection by its name although it could not be made there now. */
    default void foundElsewhere(ConnectionName connection) {}

    /** Notes that a version of a connection's file is in force. */
    default void installed(ConnectionName connection) {}

    /** Notes that a connection's file cannot be used; {@code working} says whether an earlier version of it goes on. */
    default void rejected(ConnectionName connection, boolean working) {}

    /** Notes that a connection's file is gone. */
    default void removed(ConnectionName connection) {}

    /**
     * Notes that the last call on a version that was replaced, removed or closed as unused has ended, and that its
     * clients are closed.
     */
    default void closed(ConnectionName connection) {}

    /** Notes how many attachments of this node the last look found in each state. */
    default void attachments(Map<String, Integer> states) {}

    /**
     * Notes how many staged volumes the last look found in each state, by protocol and then by state.
     *
     * @param states none for a node that has no volume staged
     */
    default void volumes(Map<String, Map<String, Integer>> states) {}

    /** Notes how the last look found the pools of this node. */
    default void pools(List<PoolReport> reports) {}

    /** Notes what was decided about a device that was to be mounted. */
    default void deviceDecided(String decision) {}

    /**
     * Describes a change to the outside world that was tried.
     *
     * @param connection the connection whose storage was changed; empty for a change to the node itself
     */
    record Tried(Effect effect, Optional<ConnectionName> connection, Duration took, boolean succeeded) {}
}
