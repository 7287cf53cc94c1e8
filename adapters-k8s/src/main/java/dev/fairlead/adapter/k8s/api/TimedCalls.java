package dev.fairlead.adapter.k8s.api;

import java.time.Duration;

/** Shares out the time that one volume has among the calls about it. For use by one thread. */
public final class TimedCalls implements ApiCalls {
    /** The time that a call gets also at the end, since a volume that was deleted should not wait to be made anew. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final ApiCalls api;
    private final Duration whole;
    private volatile long end = System.nanoTime();
    private volatile boolean begun;

    /** @param whole the time that one volume has */
    public TimedCalls(ApiCalls api, Duration whole) {
        this.api = api;
        this.whole = whole;
    }

    /** Begins the time of the next volume. */
    public void begin() {
        begun = true;
        end = System.nanoTime() + whole.toNanos();
    }

    /** Ends it: the calls that follow are about none. */
    public void over() {
        begun = false;
    }

    /** Returns what is left of the volume's time; at least nothing. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    @Override
    public ApiAnswer ask(ApiRequest request, Duration patience) {
        return api.ask(request, begun ? shorter(patience, longer(left(), LEAST)) : patience);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
