package dev.fairlead.application.port.work;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says when what has failed may be tried again: after twice as long each time, up to a bound. It remembers what came of
 * the last attempt. Not for use by several threads.
 *
 * @param <T> what comes of an attempt
 */
public final class RetryTimes<T> {
    private static final int MAX_DOUBLINGS = 20;

    private final Map<String, Failed<T>> failed = new HashMap<>();

    /** Holds how often something has failed in a row, until when it is left alone, and what came of it last. */
    private record Failed<T>(T last, int times, Duration until) {}

    /**
     * Returns what came last of something that is to be left alone for now; empty if it may be tried.
     *
     * @param now the time on a clock that never goes back
     */
    public Optional<T> resting(String key, Duration now) {
        return Optional.ofNullable(failed.get(key))
                .filter(one -> now.compareTo(one.until()) < 0)
                .map(Failed::last);
    }

    /** Says whether something has failed when it was tried last. */
    public boolean hasFailed(String key) {
        return failed.containsKey(key);
    }

    /**
     * Takes note that something has failed, once more.
     *
     * @param last what came of it
     * @param first how long it is left alone after the first time; if that is no time, this one does not count
     * @param longest how long it is left alone at most
     */
    public void failed(String key, T last, Duration first, Duration longest, Duration now) {
        Failed<T> before = failed.get(key);
        int times = before == null ? 0 : before.times();
        Duration wait = first.multipliedBy(1L << Math.min(times, MAX_DOUBLINGS));
        failed.put(
                key,
                new Failed<>(
                        last,
                        first.isZero() ? times : times + 1,
                        now.plus(wait.compareTo(longest) < 0 ? wait : longest)));
    }

    /** Forgets something, since it was done or is not asked for any more. */
    public void forget(String key) {
        failed.remove(key);
    }

    /** Forgets all but these. */
    public void keep(Set<String> keys) {
        failed.keySet().retainAll(keys);
    }

    /** Forgets what was to be tried again long ago, and was not. */
    public void forgetBefore(Duration time) {
        failed.values().removeIf(one -> one.until().compareTo(time) < 0);
    }
}
