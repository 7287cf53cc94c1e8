package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.pool.room.Sums.Share;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps what was found of each volume and snapshot of a pool, and the sums of it, so that nothing is added up anew for
 * a change of one. Not for use by several threads.
 */
public final class KnownSizes {
    private final Map<String, SizeLook> looks = new HashMap<>();
    private final Set<String> lacking = new TreeSet<>();
    private Map<String, Share> shares = new HashMap<>();
    private long promised;
    private long used;

    /** Notes that somebody else reads the shares, so that they are copied before they change. */
    private boolean shared;

    /** Returns the keys of all volumes and snapshots that are known; they change with what is known. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(looks.keySet());
    }

    public Optional<SizeLook> of(String key) {
        return Optional.ofNullable(looks.get(key));
    }

    /** Puts what was found in the place of what was known. */
    public void put(String key, SizeLook found) {
        if (found.equals(looks.put(key, found))) {
            return;
        }
        boolean snapshot = Promises.snapshotOf(key).isPresent();
        change(key, snapshot ? found.ofSnapshot() : found.ofVolume());
        if (!snapshot && found.lacksLimit()) {
            lacking.add(key);
        } else {
            lacking.remove(key);
        }
    }

    /** Forgets all but those that are there. */
    public void keepOnly(Set<String> there) {
        List.copyOf(looks.keySet()).stream().filter(key -> !there.contains(key)).forEach(this::remove);
    }

    /** Forgets one that is not there any more. */
    public void remove(String key) {
        looks.remove(key);
        lacking.remove(key);
        change(key, Share.NONE);
    }

    private void change(String key, Share now) {
        if (now.equals(shares.getOrDefault(key, Share.NONE))) {
            return;
        }
        if (shared) {
            shares = new HashMap<>(shares);
            shared = false;
        }
        Share before = now.equals(Share.NONE) ? shares.remove(key) : shares.put(key, now);
        if (before != null) {
            promised -= before.promised();
            used -= before.used();
        }
        promised += now.promised();
        used += now.used();
    }

    /** Returns the sums as they are now, whatever is found later. */
    public Sums sums() {
        shared = true;
        return new Sums(shares, promised, used);
    }

    /** Returns the ids of the volumes whose limits are not what their records say. */
    public Set<String> lacking() {
        return Collections.unmodifiableSet(lacking);
    }
}
