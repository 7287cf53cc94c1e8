package dev.fairlead.adapter.k8s.api;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps one of many equal values: thousands of volumes have the same driver, class, attributes and affinity. What comes
 * when there are many different ones already is not shared.
 *
 * @param <T> what is shared
 */
public final class SharedValues<T> {
    private static final int MOST = 1000;

    private final Map<T, T> known = new ConcurrentHashMap<>();

    /** Returns the value, or an equal one that came before. */
    public T one(T value) {
        T found = known.get(value);
        if (found == null && known.size() < MOST) {
            known.put(value, value);
        }
        return found == null ? value : found;
    }
}
