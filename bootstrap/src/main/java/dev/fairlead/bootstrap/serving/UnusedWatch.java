package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.bootstrap.serving.process.Repetition;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes, from time to time, the connections that no call has used for long.
 *
 * <p>However short that time is, calls that follow each other within seconds share the connection that the first of
 * them opened, such as those for the pages of a list, or a sidecar's GetCapacity calls.
 */
final class UnusedWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(UnusedWatch.class);
    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final Duration RARELY = Duration.ofMinutes(1);

    private final Connections connections;
    private final Duration keep;
    private final Repetition repetition;

    /** @param keep how long an unused connection stays open */
    UnusedWatch(Connections connections, Duration keep, ThreadFactory threads) {
        this.connections = connections;
        this.keep = keep.compareTo(LEAST) > 0 ? keep : LEAST;
        this.repetition = new Repetition(
                "letting go of unused connections",
                this.keep.compareTo(RARELY) < 0 ? this.keep : RARELY,
                this::look,
                threads);
    }

    void start() {
        repetition.start();
    }

    @Override
    public void close() {
        repetition.close();
    }

    private void look() {
        connections
                .letGoOfUnused(keep)
                .forEach(name -> log.atDebug()
                        .addKeyValue("connection", name)
                        .log("connection let go of: no call has used it for long"));
    }
}
