package dev.fairlead.linstor.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Knows what the controller knows of its satellites. Nothing of it is kept on disk: after a start all are offline, then
 * connected, then online, and only then do they tell the states of their disks.
 */
public final class Satellites {
    private static final long CONNECTED_AFTER = 500;
    private static final long DISKS_AFTER = 3900;
    private static final long ONLINE_AFTER = 4200;

    private final LongSupplier clock;
    private final double pace;
    private final Map<String, Long> since = new ConcurrentHashMap<>();
    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private final Set<String> hung = ConcurrentHashMap.newKeySet();
    private final Set<String> mute = ConcurrentHashMap.newKeySet();
    private volatile long started;

    Satellites(LongSupplier clock, double pace) {
        this.clock = clock;
        this.pace = pace;
        this.started = clock.getAsLong();
    }

    /** Forgets all satellites, as a controller that has just started or taken over. */
    public void restart() {
        since.clear();
        started = clock.getAsLong();
    }

    /** Returns ONLINE, CONNECTED or OFFLINE. */
    String connection(String node) {
        if (gone.contains(node)) return "OFFLINE";
        long age = age(node);
        if (age < CONNECTED_AFTER * pace) return "OFFLINE";
        return age < ONLINE_AFTER * pace ? "CONNECTED" : "ONLINE";
    }

    /** Says whether the controller knows the states of a node's disks. */
    boolean tells(String node) {
        return !gone.contains(node) && age(node) >= DISKS_AFTER * pace;
    }

    /** Notes that a node was just registered, and that its satellite has answered. */
    void registered(String node) {
        since.put(node, clock.getAsLong() - (long) (ONLINE_AFTER * pace) - 1);
        gone.remove(node);
    }

    /** Lets a satellite hang: the next question to it finds that out. */
    public void hang(String node) {
        hung.add(node);
    }

    /** Cuts a satellite off, and the controller knows. */
    public void lose(String node) {
        gone.add(node);
    }

    /** Brings a satellite back. */
    public void back(String node) {
        hung.remove(node);
        mute.remove(node);
        if (gone.remove(node)) since.put(node, clock.getAsLong());
    }

    /** Lets a satellite's handlers fail without an answer, after they did their work. */
    public void mute(String node) {
        mute.add(node);
    }

    boolean isMute(String node) {
        return mute.contains(node);
    }

    /** Returns the nodes whose satellites hang and that are not known to be offline yet; from now on they are. */
    public Set<String> found() {
        Set<String> found = new HashSet<>(hung);
        found.removeAll(gone);
        gone.addAll(found);
        return found;
    }

    /** Says whether a question to these satellites would hang. */
    public boolean wouldHang() {
        return !gone.containsAll(hung);
    }

    private long age(String node) {
        return clock.getAsLong() - since.getOrDefault(node, started);
    }
}
