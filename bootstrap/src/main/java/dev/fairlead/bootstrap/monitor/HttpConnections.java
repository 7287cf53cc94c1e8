package dev.fairlead.bootstrap.monitor;

import dev.fairlead.bootstrap.monitor.HttpConnection.Stage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the connections that are open, up to a limit. A new one at the limit gets the place of one that waits for its
 * caller: the oldest of the address that has the most. So a flood closes its own connections, and a caller who sends
 * its request at once, as kubelet does, is answered however many others do not.
 */
final class HttpConnections {
    private static final Logger log = LoggerFactory.getLogger(HttpConnections.class);
    private static final long WARNING_EVERY = Duration.ofMinutes(1).toNanos();

    private static final long MOMENT = Duration.ofMillis(100).toNanos();

    private final HttpLimits limits;
    /** The oldest first. */
    private final Set<HttpConnection> open = new LinkedHashSet<>();
    /** The number of threads that serve a connection; the thread of a closed one counts until it has noticed. */
    private int serving;

    private int pushedOut;
    private long warnedAt = System.nanoTime() - WARNING_EVERY;

    HttpConnections(HttpLimits limits) {
        this.limits = limits;
    }

    /** Waits for a place for one more connection; takes it from another one if there is none. */
    synchronized void makeRoom(HttpConnection next) throws InterruptedException {
        closeOverdue();
        while (serving >= 2 * limits.connections() || (open.size() >= limits.connections() && !pushOne())) {
            wait(2); // until one has ended, is overdue, or waits for its caller
            closeOverdue();
        }
        open.add(next);
        serving++;
    }

    private boolean pushOne() {
        Map<ByteBuffer, Integer> crowds = new HashMap<>();
        open.forEach(one -> crowds.merge(one.from(), 1, Integer::sum));
        int most = Collections.max(crowds.values());
        Optional<HttpConnection> first = open.stream()
                .filter(one -> Integer.valueOf(most).equals(crowds.get(one.from())))
                .filter(HttpConnection::waitsForCaller)
                .findFirst();
        first.ifPresent(one -> {
            open.remove(one);
            one.close();
            pushedOut++;
            warn();
        });
        return first.isPresent();
    }

    private void warn() {
        long now = System.nanoTime();
        if (now - warnedAt >= WARNING_EVERY) {
            log.atWarn()
                    .addKeyValue("limit", limits.connections())
                    .addKeyValue("closed", pushedOut)
                    .log("more callers by HTTP than are served at once: the oldest that waited were closed");
            warnedAt = now;
            pushedOut = 0;
        }
    }

    /** Closes those whose time is over. */
    synchronized void closeOverdue() {
        long now = System.nanoTime();
        List<HttpConnection> overdue = open.stream()
                .filter(one -> now - one.since() > (one.hasAsked() ? limits.answer() : limits.request()).toNanos())
                .toList();
        overdue.forEach(one -> {
            open.remove(one);
            one.close();
        });
    }

    /** Waits for a moment. */
    void pause() {
        LockSupport.parkNanos(MOMENT);
    }

    synchronized int count() {
        return open.size();
    }

    synchronized int answering() {
        return (int) open.stream().filter(one -> one.stage() == Stage.ANSWERS).count();
    }

    /** Closes one, whose thread ends now. */
    synchronized void end(HttpConnection one) {
        one.close();
        open.remove(one);
        serving--;
        notifyAll();
    }

    synchronized void closeAll() {
        open.forEach(HttpConnection::close);
        open.clear();
    }
}
