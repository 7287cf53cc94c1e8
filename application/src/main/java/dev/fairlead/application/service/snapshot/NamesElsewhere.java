package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses a name that is in use on another connection, if this process knows that it was used there. */
public record NamesElsewhere(Connections connections, SnapshotNames names) {
    private static final Logger log = LoggerFactory.getLogger(NamesElsewhere.class);

    /**
     * Describes the kind of object that has names: snapshots or groups.
     *
     * @param words its name for people
     * @param find finds the object of the name on a connection, and answers its handle
     * @param conflict makes the failure that the caller gets, of that handle and that connection
     */
    record Kind(
            String words,
            Function<Backend, Optional<String>> find,
            BiFunction<String, ConnectionName, Failure> conflict) {}

    /** Takes a snapshot or group, unless the connection on which its name was last used still has one of that name. */
    <T> T unlessUsed(CsiName name, ConnectionName here, Kind kind, Work work, Supplier<T> take) {
        names.elsewhere(name, here)
                .ifPresent(other -> find(other, "look for " + kind.words() + " " + name, kind.find(), work)
                        .ifPresent(handle -> {
                            throw new StorageException(kind.conflict().apply(handle, other));
                        }));
        T taken = take.get();
        names.remember(name, here);
        return taken;
    }

    /**
     * Returns the handle of the object of the name on another connection; empty also if that cannot be asked, so that
     * it does not block this one.
     */
    private Optional<String> find(
            ConnectionName other, String what, Function<Backend, Optional<String>> look, Work work) {
        try (ConnectionUse use = connections.use(other)) {
            return use.read(work, what, look);
        } catch (StorageException unknown) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("connection", other)
                    .log("connection passed over: {}", unknown.failure().message());
            return Optional.empty();
        }
    }
}
