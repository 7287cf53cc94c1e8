package dev.fairlead.adapter.grpc.call;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives calls and incidents short names: a number drawn at start, then a count.
 *
 * <p>A name is unique in a process and very likely so among the processes whose logs are read together, which is all
 * that a log needs; no secret depends on it.
 */
public final class RequestIds {
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final String process =
            Long.toString(ThreadLocalRandom.current().nextLong(36 * 36 * 36, 36L * 36 * 36 * 36), 36);
    private final AtomicLong count = new AtomicLong();

    public String next() {
        return process + "-" + Long.toString(count.incrementAndGet(), 36);
    }

    /** Returns the caller's own id if it is fit for a log, else a new one. */
    public String of(@Nullable String callers) {
        return callers != null && SANE.matcher(callers).matches() ? callers : next();
    }
}
