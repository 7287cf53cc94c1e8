package dev.fairlead.application.service.connection;

import dev.fairlead.domain.connection.ConnectionName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Describes the state of a connection at this moment.
 *
 * @param driverType empty if no version of it was ever good
 * @param loaded when the version in force came into force
 * @param calls how many calls use it
 * @param running how many of its threads are at work on the storage
 * @param waiting how many calls wait for such a thread
 */
public record ConnectionStatus(
        ConnectionName name,
        State state,
        Optional<String> driverType,
        Optional<Instant> loaded,
        int calls,
        int running,
        int waiting) {
    /** Lists the states of a connection: whether its file can be used, and which version is in force. */
    public enum State {
        /** Its file is in force. */
        SERVING,
        /** Its file cannot be used, and an earlier version of it is in force. */
        STALE,
        /** Its file cannot be used, and never could. */
        BROKEN,
        /** Its file is gone, and calls that began before still run. */
        ABSENT
    }

    /**
     * Makes the status of a connection, with the sums over its versions.
     *
     * @param current the version in force
     * @param versions those that are not closed yet
     */
    static ConnectionStatus of(
            ConnectionName name, State state, Optional<ConnectionVersion> current, List<ConnectionVersion> versions) {
        return new ConnectionStatus(
                name,
                state,
                current.or(() -> versions.stream().findFirst()).map(ConnectionVersion::driverType),
                current.map(ConnectionVersion::loaded),
                versions.stream().mapToInt(ConnectionVersion::calls).sum(),
                versions.stream().mapToInt(version -> version.lane().running()).sum(),
                versions.stream().mapToInt(version -> version.lane().waiting()).sum());
    }
}
