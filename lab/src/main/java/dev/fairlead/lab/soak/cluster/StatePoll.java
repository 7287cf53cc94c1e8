package dev.fairlead.lab.soak.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Lists pods, claims and volumes once a second, for all who wait for something of them. */
final class StatePoll implements AutoCloseable {
    /** A list from the API server's memory, which costs it little. */
    private static final String FROM_MEMORY = "?resourceVersion=0";

    private final SoakApi api;
    private final String namespace;
    private final String driver;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private ClusterState state = ClusterState.NONE;
    private boolean isRead;
    private String trouble = "";
    private long taken = System.nanoTime();
    private volatile boolean stopped;

    StatePoll(SoakApi api, String namespace, String driver) {
        this.api = api;
        this.namespace = namespace;
        this.driver = driver;
        this.thread = Thread.ofPlatform().daemon().name("state-poll").start(this::run);
    }

    private void run() {
        while (!stopped) {
            try {
                ClusterState read = read();
                taken(read);
            } catch (IOException | RuntimeException e) {
                failed(e.toString());
            }
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private ClusterState read() throws IOException {
        String below = "/api/v1/namespaces/" + namespace;
        return ClusterState.of(
                api.get(below + "/pods" + FROM_MEMORY).body(),
                api.get(below + "/persistentvolumeclaims" + FROM_MEMORY).body(),
                api.get("/api/v1/persistentvolumes" + FROM_MEMORY).body(),
                driver);
    }

    private void taken(ClusterState read) {
        lock.lock();
        try {
            state = read;
            isRead = true;
            trouble = "";
            taken = System.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void failed(String why) {
        lock.lock();
        try {
            trouble = why;
        } finally {
            lock.unlock();
        }
    }

    ClusterState state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how old the state is, and why, if it could not be read for a while; empty if it was. */
    String trouble() {
        lock.lock();
        try {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - taken);
            return seconds < 15 ? "" : "the API server was not read for " + seconds + " s: " + trouble;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something is so as it was read, and says whether it was in time. */
    boolean await(Predicate<ClusterState> wanted, Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!isRead || !wanted.test(state)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
