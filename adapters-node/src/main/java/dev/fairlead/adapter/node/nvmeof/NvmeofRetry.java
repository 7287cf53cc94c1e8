package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.PathRetry;
import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries ways again that were dead when a volume was attached by others, for as long as its subsystem is connected.
 * Native multipath uses such a way from the moment that it is there.
 */
final class NvmeofRetry {
    private static final Logger log = LoggerFactory.getLogger(NvmeofRetry.class);

    private final UnusedConnections unused;
    private final NvmeofConnections connections;
    private final AttachLocks locks;
    private final PathRetry retry;
    private final Map<String, NvmeofRequest> missing = new ConcurrentHashMap<>();

    /** @param pause before the first attempt */
    NvmeofRetry(UnusedConnections unused, ThreadFactory threads, Duration pause) {
        this.unused = unused;
        this.connections = unused.connections();
        this.locks = unused.locks();
        this.retry = new PathRetry(this::leavesMissing, threads, pause);
    }

    /** Tries these ways of a request from time to time, in the place of those of earlier ones; none ends it. */
    void keep(NvmeofRequest request, List<TransportTrouble> troubles, Work work) {
        if (troubles.isEmpty()) {
            forget(request.nqn());
            return;
        }
        missing.put(request.nqn(), without(request, troubles));
        retry.keep(request.nqn(), work);
    }

    /** Tries those ways of a request again that are not connected, unless ways of its subsystem are tried already. */
    void restore(NvmeofRequest request, Work work) {
        List<NvmeofTransport> connected = connections.connected(request.nqn(), request.transports(), work);
        List<NvmeofTransport> left = request.transports().stream()
                .filter(it -> !connected.contains(it))
                .toList();
        NvmeofRequest rest = new NvmeofRequest(request.nqn(), request.nsid(), left);
        if (!left.isEmpty() && missing.putIfAbsent(request.nqn(), rest) == null) {
            retry.keep(request.nqn(), work);
        }
    }

    private static NvmeofRequest without(NvmeofRequest request, List<TransportTrouble> troubles) {
        return new NvmeofRequest(
                request.nqn(),
                request.nsid(),
                troubles.stream().map(TransportTrouble::transport).toList());
    }

    void forget(String nqn) {
        missing.remove(nqn);
        retry.forget(nqn);
    }

    private boolean leavesMissing(String nqn, Work work) {
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), work)) {
            Optional<NvmeofRequest> now = Optional.ofNullable(missing.get(nqn)); // it may have been detached meanwhile
            if (now.isEmpty() || connections.controllers(nqn, work).isEmpty()) {
                missing.remove(nqn);
                return false;
            }
            NvmeofRequest request = now.get();
            // nobody waits for them here: one that hangs holds up neither its subsystem nor those whose turn is next
            List<NvmeofTransport> left = connections.connectLater(request, unused, work);
            if (left.size() < request.transports().size()) {
                log.atInfo()
                        .addKeyValue("subsystem", nqn)
                        .addKeyValue("missing", left)
                        .log("a way to a subsystem is used that was dead before");
            }
            if (left.isEmpty()) {
                missing.remove(nqn);
            } else {
                missing.put(nqn, new NvmeofRequest(nqn, request.nsid(), left));
            }
            return !left.isEmpty();
        }
    }
}
