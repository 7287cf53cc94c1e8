package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Work;
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

/** Refuses a name that is in use on another connection, as far as this process knows where it was used. */
record NamesElsewhere(Connections connections, SnapshotNames names) {
    private static final Logger log = LoggerFactory.getLogger(NamesElsewhere.class);

    /**
     * What has names.
     *
     * @param words for a human
     * @param find asks a connection for what has the name there, and answers its handle
     * @param conflict what the caller is told of that handle on that connection
     */
    record Kind(
            String words,
            Function<Backend, Optional<String>> find,
            BiFunction<String, ConnectionName, Failure> conflict) {}

    /** Takes what is to have a name, unless a connection where that was used lately still has it. */
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

    /** A connection that cannot be asked does not keep another one from working. */
    private Optional<String> find(
            ConnectionName other, String what, Function<Backend, Optional<String>> look, Work work) {
        try (Lease lease = connections.lease(other)) {
            return lease.read(work, what, look);
        } catch (StorageException unknown) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("connection", other)
                    .log("connection passed over: {}", unknown.failure().message());
            return Optional.empty();
        }
    }
}
