package dev.fairlead.application.service.transfer;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Amount;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Lane;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.application.service.plan.PlannedVolume;
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
 * @param planned the connection and request of the new volume
 */
record TransferStream(
        ConnectionUse source, PlannedVolume planned, ContentSource contentSource, Extent extent, Work work) {
    private static final Logger log = LoggerFactory.getLogger(TransferStream.class);

    /** A storage host that sends or takes nothing for so long is given up; what has come is kept. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    /** The longest wait for the sending end to finish after the receiving end. */
    private static final Duration PARTING = Duration.ofSeconds(30);

    /**
     * Passes the stream, and returns once all of it has been received. After a failure a repeated call goes on from
     * where this one stopped.
     */
    void pass(Optional<String> mark, String ticket) {
        var pipe = new BoundedPipe(SILENCE, this::tell);
        tell(0);
        log.atInfo().addKeyValue("request", work.requestId()).log("{} begins at {}", what(), amount(0));
        Lane.Change<?> sending = source.begin(work, what(), (backend, its) -> {
            try {
                role(backend).sender().send(contentSource.content(), ticket, mark, pipe.out(), its);
            } finally {
                pipe.end();
            }
        });
        Optional<RuntimeException> sent = Optional.empty();
        Taken taken;
        try {
            taken = take(pipe);
        } finally {
            pipe.leave();
            sent = failureOf(sending);
        }
        if (!taken.complete()) {
            Optional<RuntimeException> own = sent.filter(_ -> pipe.endedFirst()).or(() -> silence(pipe));
            ConnectionUse end = own.isPresent() || taken.failure().isEmpty() ? source : planned.use();
            log.atInfo().addKeyValue("request", work.requestId()).log("{} was cut at {}", what(), amount(pipe.bytes()));
            throw stopped(own.or(taken::failure).orElseGet(this::nothing), end.name(), pipe.bytes());
        }
    }

    /** Holds the outcome of the end that reads. */
    private record Taken(boolean complete, Optional<RuntimeException> failure) {}

    private Taken take(BoundedPipe pipe) {
        if (!pipe.awaitFirst()) {
            return new Taken(false, Optional.empty());
        }
        try {
            role(planned.use().backend()).receiver().receive(planned.birth(), pipe.in(), work);
            return new Taken(true, Optional.empty());
        } catch (RuntimeException thrown) {
            return new Taken(false, Optional.of(thrown));
        }
    }

    /**
     * Returns the failure of the sending end, or its timeout, if any: a storage host that hangs may never end the
     * program that writes.
     */
    private static Optional<RuntimeException> failureOf(Lane.Change<?> sending) {
        try {
            var _ = sending.within(PARTING);
            return Optional.empty();
        } catch (RuntimeException thrown) {
            return Optional.of(thrown);
        }
    }

    private Optional<RuntimeException> silence(BoundedPipe pipe) {
        return pipe.isSilent()
                ? Optional.of(unavailable(source.name(), "it sent nothing for " + SILENCE.toSeconds() + " s"))
                : Optional.empty();
    }

    private StorageException nothing() {
        return unavailable(source.name(), "it sent nothing");
    }

    private RuntimeException stopped(RuntimeException why, ConnectionName end, long bytes) {
        if (FailureCodes.isFinal(why)
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
        return "transfer of " + contentSource.handle() + " to connection "
                + planned.use().name();
    }

    private static ContentTransfer role(Backend backend) {
        return backend.store().transfer().orElseThrow();
    }
}
