package dev.fairlead.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process does. */
public final class Until {
    private static final Duration MOST = Duration.ofSeconds(30);

    private Until() {}

    /** Says whether something has come about. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Waits until a condition holds; it fails the test after 30 s, since a slow machine may need some of them. */
    public static void holds(Condition condition) {
        long end = System.nanoTime() + MOST.toNanos();
        while (!isTrue(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not come about in " + MOST);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private static boolean isTrue(Condition condition) {
        try {
            return condition.holds();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("it could not be asked", e);
        }
    }
}
