package dev.fairlead.adapter.local.pool.room;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Holds what was promised and need not be in the last reading of the records: what is being made, and what was made
 * since that reading began. Not for use by several threads.
 */
public final class OpenPromises {
    private final Map<String, Promise> all = new HashMap<>();

    /** The ids of what was made before the reading began, and so is in it. */
    private final Set<String> settled = new HashSet<>();

    /** The ids of what was deleted since that reading began, and may be in it. */
    private final Set<String> gone = new HashSet<>();

    /** The ids of what was begun, ended or deleted since that reading began, and of what was being made as it began. */
    private final Set<String> touched = new HashSet<>();

    private boolean reading;

    /** @param running how many calls are making it */
    private record Promise(long bytes, int running) {}

    private Promise of(String id) {
        return all.getOrDefault(id, new Promise(0, 0));
    }

    public long bytes(String id) {
        return of(id).bytes();
    }

    public boolean isRunning(String id) {
        return of(id).running() > 0;
    }

    /** Promises bytes to what is being made from now on. */
    public void begin(String id, long bytes) {
        all.put(id, new Promise(bytes, of(id).running() + 1));
        settled.remove(id);
        touched.add(id);
    }

    /** Notes that a call that was making it has ended. It counts until a reading that begins later has ended. */
    public void end(String id) {
        all.computeIfPresent(id, (_, it) -> new Promise(it.bytes(), it.running() - 1));
        touched.add(id);
    }

    /** Forgets what was deleted. */
    public void release(String id) {
        all.remove(id);
        settled.remove(id);
        touched.add(id);
        if (reading) {
            gone.add(id);
        }
    }

    /**
     * Begins a reading, in which all is that nobody is making.
     *
     * @return the ids of what this process may have made, grown or deleted since the reading before began
     */
    public Set<String> beginReading() {
        reading = true;
        gone.clear();
        settled.clear();
        settled.addAll(all.keySet());
        settled.removeIf(this::isRunning);
        Set<String> changed = Set.copyOf(touched);
        touched.removeIf(id -> !isRunning(id)); // what is being made may be looked at before it has its size
        return changed;
    }

    /**
     * Forgets what is in the reading that began last.
     *
     * @param remove takes out of the reading what was deleted meanwhile
     */
    public void endReading(Consumer<String> remove) {
        reading = false;
        gone.forEach(remove);
        gone.clear();
        all.keySet().removeAll(settled);
    }

    /** Returns the bytes that are promised beyond what a reading says of the same. */
    public long beyond(ToLongFunction<String> read) {
        return all.entrySet().stream()
                .mapToLong(it -> Math.max(0, it.getValue().bytes() - read.applyAsLong(it.getKey())))
                .sum();
    }
}
