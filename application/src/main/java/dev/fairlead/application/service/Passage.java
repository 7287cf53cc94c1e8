package dev.fairlead.application.service;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes one stream from a source to the volume that is made of it: the source's end writes on a thread of its
 * connection, the other end reads on the caller's thread.
 *
 * @param source the connection of the content
 * @param site the connection and request of the new volume
 */
record Passage(Lease source, Site site, Origin origin, Extent extent, Work work) {
    private static final Logger log = LoggerFactory.getLogger(Passage.class);

    /** A storage host that sends or takes nothing for so long is given up; what has come is kept. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    /** The longest wait for the sending end to finish after the receiving end. */
    private static final Duration PARTING = Duration.ofSeconds(30);

    /**
     * Passes the stream, and returns once all of it has been received. After a failure a repeated call goes on from
     * where this one stopped.
     */
    void pass(Optional<String> mark, String ticket) {
        var conduit = new Conduit(SILENCE, this::tell);
        tell(0);
        log.atInfo().addKeyValue("request", work.requestId()).log("{} begins at {}", what(), amount(0));
        Lane.Change<Boolean> sending = source.begin(work, what(), (backend, its) -> {
            try {
                role(backend).departure().send(origin.content(), ticket, mark, conduit.out(), its);
                return true;
            } finally {
                conduit.end();
            }
        });
        Optional<RuntimeException> sent = Optional.empty();
        Taken taken;
        try {
            taken = take(conduit);
        } finally {
            conduit.leave();
            sent = failureOf(sending);
        }
        if (!taken.complete()) {
            Optional<RuntimeException> own =
                    sent.filter(_ -> conduit.endedFirst()).or(() -> silence(conduit));
            Lease end = own.isPresent() || taken.failure().isEmpty() ? source : site.lease();
            log.atInfo()
                    .addKeyValue("request", work.requestId())
                    .log("{} was cut at {}", what(), amount(conduit.bytes()));
            throw stopped(own.or(taken::failure).orElseGet(this::nothing), end.name(), conduit.bytes());
        }
    }

    /** Holds the outcome of the end that reads. */
    private record Taken(boolean complete, Optional<RuntimeException> failure) {}

    private Taken take(Conduit conduit) {
        if (!conduit.awaitFirst()) {
            return new Taken(false, Optional.empty());
        }
        try {
            role(site.lease().backend()).arrival().receive(site.birth(), conduit.in(), work);
            return new Taken(true, Optional.empty());
        } catch (RuntimeException thrown) {
            return new Taken(false, Optional.of(thrown));
        }
    }

    /**
     * Returns the failure of the sending end, or its timeout, if any: a storage host that hangs may never end the
     * program that writes.
     */
    private static Optional<RuntimeException> failureOf(Lane.Change<Boolean> sending) {
        try {
            var _ = sending.within(PARTING);
            return Optional.empty();
        } catch (RuntimeException thrown) {
            return Optional.of(thrown);
        }
    }

    private Optional<RuntimeException> silence(Conduit conduit) {
        return conduit.isSilent()
                ? Optional.of(unavailable(source.name(), "it sent nothing for " + SILENCE.toSeconds() + " s"))
                : Optional.empty();
    }

    private StorageException nothing() {
        return unavailable(source.name(), "it sent nothing");
    }

    private RuntimeException stopped(RuntimeException why, ConnectionName end, long bytes) {
        if (LastWord.isFinal(why)
                || !(why instanceof StorageException known)
                || known.failure() instanceof Failure.Cancelled) {
            return why;
        }
        String so = what() + " stopped at " + amount(bytes) + ": "
                + known.failure().message() + "; a repeated call takes it up there";
        return new StorageException(new Failure.BackendUnavailable(end.value(), so), why);
    }

    private static StorageException unavailable(ConnectionName name, String detail) {
        return new StorageException(new Failure.BackendUnavailable(name.value(), detail));
    }

    private void tell(long bytes) {
        work.moved(what(), extent.done() + bytes, total());
    }

    private String amount(long bytes) {
        return Amount.moved(extent.done() + bytes, total());
    }

    private long total() {
        return extent.done() + extent.left();
    }

    private String what() {
        return "transfer of " + origin.handle() + " to connection "
                + site.lease().name();
    }

    private static ContentTransfer role(Backend backend) {
        return backend.store().transfer().orElseThrow();
    }
}
