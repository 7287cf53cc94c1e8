package dev.fairlead.bootstrap.driver;

import java.time.Duration;

/** Knows when a box was down, and so which call may be told that it is unavailable. */
final class Outages {
    /** How long a connection may take to work again once the box is back, on a machine that does other things too. */
    static final Duration COMING_BACK = Duration.ofSeconds(20);

    /** How long the box may be down before a test has failed that does not bring it back. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private int count;
    private long downSince;
    private long backSince;
    private boolean isDown;

    /** What a caller sees of them when a call of its begins. */
    record Sight(int outage, boolean isDown) {}

    synchronized void begin() {
        count++;
        isDown = true;
        downSince = System.nanoTime();
    }

    synchronized void end() {
        isDown = false;
        backSince = System.nanoTime();
    }

    synchronized Sight now() {
        return new Sight(count, isDown);
    }

    /**
     * Says whether a call may fail now that began at this sight: if the box was down meanwhile, or came back a short
     * time before, and the caller has had no answer since.
     *
     * @param answered the outage after which the caller had its last answer
     */
    synchronized boolean excuse(Sight began, int answered) {
        if (isDown && System.nanoTime() - downSince > LONGEST.toNanos()) {
            return false;
        }
        boolean overlaps = began.isDown() || isDown || began.outage() != count;
        boolean isComingBack = answered != count && System.nanoTime() - backSince < COMING_BACK.toNanos();
        return overlaps || isComingBack;
    }

    /** Returns the outage after which a call was answered that began at this sight, if it overlapped none. */
    synchronized int answered(Sight began, int before) {
        return !isDown && !began.isDown() && began.outage() == count ? count : before;
    }
}
