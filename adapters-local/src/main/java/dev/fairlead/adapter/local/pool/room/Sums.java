package dev.fairlead.adapter.local.pool.room;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Holds what a pool has promised and what of it is used, as it was read once. Not for use by several threads. */
public final class Sums {
    private final Map<String, Share> single;

    /** The keys of what was deleted since. */
    private final Set<String> gone = new HashSet<>();

    private long promised;
    private long used;

    /**
     * @param single the shares of single volumes and snapshots, which nobody changes any more
     * @param used what is used in all, which is less than the shares say if it is not known
     */
    public Sums(Map<String, Share> single, long promised, long used) {
        this.single = Collections.unmodifiableMap(single);
        this.promised = promised;
        this.used = used;
    }

    /** Holds what is promised to one volume or snapshot, and what of it is used. */
    public record Share(long promised, long used) {
        public static final Share NONE = new Share(0, 0);
    }

    /** Returns the shares of single volumes and snapshots as they were read, with those that were deleted since. */
    public Map<String, Share> single() {
        return single;
    }

    public long promised() {
        return promised;
    }

    public long promised(String id) {
        return of(id).promised();
    }

    private Share of(String id) {
        return gone.contains(id) ? Share.NONE : single.getOrDefault(id, Share.NONE);
    }

    public long used() {
        return used;
    }

    /** Takes out what was deleted. */
    public void remove(String id) {
        Share share = of(id);
        gone.add(id);
        promised -= share.promised();
        used = Math.max(0, used - share.used());
    }
}
