package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries ways again that were dead when a volume was attached by others, for as long as its subsystem is connected.
 * Native multipath uses such a way from the moment that it is there.
 */
final class NvmeofRetry {
    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger(NvmeofRetry.class);

    private final NvmeofConnections connections;
    private final AttachLocks locks;
    private final ThreadFactory threads;
    private final Duration pause;
    private final Map<String, Wanted> missing = new LinkedHashMap<>();
    private boolean running;

    /** @param pause between two attempts */
    NvmeofRetry(NvmeofConnections connections, AttachLocks locks, ThreadFactory threads, Duration pause) {
        this.connections = connections;
        this.locks = locks;
        this.threads = threads;
        this.pause = pause;
    }

    /** Holds a subsystem with the ways that are missing. */
    private record Wanted(NvmeofRequest request, Work work) {}

    /** Tries these ways of a request from time to time, in the place of those of earlier ones; none ends it. */
    synchronized void keep(NvmeofRequest request, List<TransportTrouble> troubles, Work work) {
        if (troubles.isEmpty()) {
            forget(request.nqn());
            return;
        }
        missing.put(request.nqn(), new Wanted(without(request, troubles), RetryWork.of(work, ATTEMPT)));
        if (!running) {
            running = true;
            threads.newThread(this::run).start();
        }
    }

    private static NvmeofRequest without(NvmeofRequest request, List<TransportTrouble> troubles) {
        return new NvmeofRequest(
                request.nqn(),
                request.nsid(),
                troubles.stream().map(TransportTrouble::transport).toList());
    }

    synchronized void forget(String nqn) {
        missing.remove(nqn);
    }

    private synchronized Optional<Wanted> of(String nqn) {
        return Optional.ofNullable(missing.get(nqn));
    }

    /** Returns the subsystems whose ways are still missing; ends the attempts if there are none. */
    private synchronized List<String> next() {
        running = !missing.isEmpty();
        return List.copyOf(missing.keySet());
    }

    private void run() {
        List<String> next = next();
        while (!next.isEmpty()) {
            try {
                Backoff.pause(pause);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            next.forEach(nqn -> of(nqn).ifPresent(this::attempt));
            next = next();
        }
    }

    private void attempt(Wanted before) {
        String nqn = before.request().nqn();
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), before.work())) {
            Optional<Wanted> now = of(nqn); // it may have been detached meanwhile
            if (now.isEmpty()) {
                return;
            }
            if (connections.sysfs().controllers(nqn).isEmpty()) {
                forget(nqn);
                return;
            }
            NvmeofRequest request = now.get().request();
            List<TransportTrouble> troubles =
                    connections.connect(request, now.get().work());
            if (troubles.size() < request.transports().size()) {
                log.atInfo()
                        .addKeyValue("subsystem", nqn)
                        .addKeyValue("missing", troubles)
                        .log("a way to a subsystem is used that was dead before");
            }
            keep(request, troubles, now.get().work());
        } catch (StorageException | IllegalStateException e) {
            log.atDebug()
                    .addKeyValue("subsystem", nqn)
                    .addKeyValue("why", String.valueOf(e.getMessage()))
                    .log("a way to a subsystem could not be tried");
        }
    }
}
