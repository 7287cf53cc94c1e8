package dev.fairlead.bootstrap.serving;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.bootstrap.node.ThisNode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A driver that serves, from its first call to its last. */
public final class Serving {
    /** Below the 30 s that Kubernetes leaves a pod between SIGTERM and SIGKILL. */
    public static final Duration DRAIN = Duration.ofSeconds(25);

    /** A folder that takes longer than this to read is left to come when it comes. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Serving.class);

    private final GrpcServer server;
    private final Optional<Storage> storage;
    private final Optional<ThisNode> node;
    private final Optional<Leadership> leadership;
    private final Optional<Announcer> announcer;
    private volatile Phase phase = Phase.STARTING;

    /**
     * @param storage where the controller's half is served
     * @param node where the node's half is served
     * @param leadership where it serves only while it leads
     * @param announcer where it tells the cluster's users
     */
    Serving(
            GrpcServer server,
            Optional<Storage> storage,
            Optional<ThisNode> node,
            Optional<Leadership> leadership,
            Optional<Announcer> announcer) {
        this.server = server;
        this.storage = storage;
        this.node = node;
        this.leadership = leadership;
        this.announcer = announcer;
    }

    /**
     * Waits for its turn where there are several replicas, loads the connections, then opens the sockets.
     *
     * @param lost is told why this process must end at once: another may serve in its place
     * @return false where it was to end before it served
     * @throws dev.fairlead.application.config.InvalidConfigException where the only connection cannot be used
     * @throws dev.fairlead.domain.failure.StorageException where something else keeps it from serving
     */
    public boolean start(Consumer<String> lost) throws InterruptedException {
        node.ifPresent(ThisNode::look);
        if (leadership.isPresent()) {
            enter(Phase.STANDBY);
            if (!leadership.get().lead(lost)) {
                return false;
            }
        }
        load();
        synchronized (this) {
            if (phase == Phase.ENDING) {
                return false;
            }
            server.start();
            phase = Phase.SERVING;
        }
        return true;
    }

    /** What was to end goes on ending. */
    private synchronized void enter(Phase next) {
        if (phase != Phase.ENDING) {
            phase = next;
        }
    }

    private void load() throws InterruptedException {
        if (storage.isPresent()) {
            boolean loaded = storage.get().open(FIRST_LOOK);
            if (!loaded) {
                log.atWarn()
                        .addKeyValue("seconds", FIRST_LOOK.toSeconds())
                        .log("the connections folder does not answer; serving starts without its connections");
            }
        }
    }

    public Phase phase() {
        return phase;
    }

    public GrpcServer server() {
        return server;
    }

    /**
     * Takes no more calls, waits for those that run, and lets go of the storage; then, where all have ended, another
     * replica may lead at once, and otherwise when the Lease has run out.
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        boolean served;
        synchronized (this) {
            served = phase == Phase.SERVING;
            phase = Phase.ENDING;
        }
        if (!served) {
            leadership.ifPresent(Leadership::resign);
        }
        boolean ended = false;
        try {
            ended = server.drain(atMost);
            return ended;
        } finally {
            storage.ifPresent(Storage::close);
            announcer.ifPresent(Announcer::close);
            leadership.ifPresent(ended ? Leadership::resign : Leadership::end);
        }
    }
}
