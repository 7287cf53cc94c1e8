package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Callers that repeat a call all the time, each under other names, until this is closed. */
final class BusyCallers implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<String> failure = new AtomicReference<>("none");

    /** A call, by a name that nobody else has. */
    interface NamedCall {
        void with(String name);
    }

    BusyCallers(int number, NamedCall call) {
        for (int i = 0; i < number; i++) {
            int caller = i;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int n = 0; !stop.get(); n++) {
                    try {
                        call.with("busy-" + caller + "-" + n);
                        done.incrementAndGet();
                    } catch (StatusRuntimeException e) {
                        failure.set(e.toString());
                        pause(); // as a sidecar backs off
                    }
                }
            }));
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(250);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails if a caller has ended, or if no call at all comes to its end. */
    void assertAtWork() {
        long giveUp = System.nanoTime() + LONGEST.toNanos();
        while (done.get() == 0 && System.nanoTime() < giveUp) {
            pause();
        }
        assertThat(done)
                .as("calls that were done; the last failure: %s", failure)
                .hasPositiveValue();
        assertCalling();
    }

    /** Fails if a caller has ended. */
    void assertCalling() {
        assertThat(threads).as("callers at work to the end").allMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        stop.set(true);
        Threads.join(threads);
    }
}
