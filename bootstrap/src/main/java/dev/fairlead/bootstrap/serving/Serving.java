package dev.fairlead.bootstrap.serving;

import dev.fairlead.adapter.grpc.GrpcServer;
import java.time.Duration;
import java.util.Optional;
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

    /** @param storage where the controller's half is served */
    Serving(GrpcServer server, Optional<Storage> storage) {
        this.server = server;
        this.storage = storage;
    }

    /**
     * Loads the connections, then opens the sockets.
     *
     * @throws dev.fairlead.application.config.InvalidConfigException where the only connection cannot be used
     */
    public void start() throws InterruptedException {
        if (storage.isPresent()) {
            boolean loaded = storage.get().open(FIRST_LOOK);
            if (!loaded) {
                log.atWarn()
                        .addKeyValue("seconds", FIRST_LOOK.toSeconds())
                        .log("the connections folder does not answer; serving starts without its connections");
            }
        }
        server.start();
    }

    public GrpcServer server() {
        return server;
    }

    /** Takes no more calls, waits for those that run, and lets go of the storage. */
    public boolean drain(Duration atMost) throws InterruptedException {
        try {
            return server.drain(atMost);
        } finally {
            storage.ifPresent(Storage::close);
        }
    }
}
