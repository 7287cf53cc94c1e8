package dev.fairlead.adapter.local.pool.room;

import java.util.HashMap;
import java.util.Map;

/** Holds what a pool has promised and what of it is used, as it was read once. Not for use by several threads. */
public final class Sums {
    private final Map<String, Share> single;
    private long promised;
    private long used;

    /**
     * @param single the shares of single volumes and snapshots
     * @param used what is used in all, which is less than the shares say if it is not known
     */
    public Sums(Map<String, Share> single, long promised, long used) {
        this.single = new HashMap<>(single);
        this.promised = promised;
        this.used = used;
    }

    /** Holds what is promised to one volume or snapshot, and what of it is used. */
    public record Share(long promised, long used) {
        public static final Share NONE = new Share(0, 0);
    }

    public Map<String, Share> single() {
        return single;
    }

    public long promised() {
        return promised;
    }

    public long promised(String id) {
        return single.getOrDefault(id, Share.NONE).promised();
    }

    public long used() {
        return used;
    }

    /** Takes out what was deleted. */
    public void remove(String id) {
        Share gone = single.getOrDefault(id, Share.NONE);
        single.remove(id);
        promised -= gone.promised();
        used = Math.max(0, used - gone.used());
    }
}
