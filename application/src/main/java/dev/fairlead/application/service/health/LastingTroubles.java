package dev.fairlead.application.service.health;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Holds on to what was wrong until looks have shown that it is over: what a look could not tell goes on, and what users
 * of a volume make and undo at will ends only after some looks. For use by one thread.
 *
 * @param <S> what is looked at
 * @param <R> the reason by which one trouble is told from another
 * @param <T> a trouble
 */
public final class LastingTroubles<S, R, T> {
    /** The looks that have to be good until what comes and goes is over. */
    public static final int GOOD_LOOKS = 3;

    private final Function<T, R> reason;
    private final Set<R> comeAndGo;
    private final Map<S, Map<R, Seen<T>>> last = new HashMap<>();

    /** @param comeAndGo the reasons that are over only after {@link #GOOD_LOOKS} */
    public LastingTroubles(Function<T, R> reason, Set<R> comeAndGo) {
        this.reason = reason;
        this.comeAndGo = Set.copyOf(comeAndGo);
    }

    /** Holds a trouble as it was seen last, and the good looks since. */
    private record Seen<T>(T trouble, int good) {}

    /** Forgets what is not among these and so is not looked at any more. */
    public void keep(Set<S> subjects) {
        last.keySet().retainAll(subjects);
    }

    /**
     * Returns what is wrong after a look: what it found, and after that what goes on.
     *
     * @param told says whether the look could tell that there is nothing of a reason
     */
    public List<T> after(S subject, List<T> found, Predicate<R> told) {
        List<T> all = new ArrayList<>(found);
        Map<R, Seen<T>> now = new LinkedHashMap<>();
        found.forEach(it -> now.put(reason.apply(it), new Seen<>(it, 0)));
        last.getOrDefault(subject, Map.of()).forEach((its, seen) -> {
            int good = seen.good() + (told.test(its) ? 1 : 0);
            if (!now.containsKey(its) && good < (comeAndGo.contains(its) ? GOOD_LOOKS : 1)) {
                now.put(its, new Seen<>(seen.trouble(), good));
                all.add(seen.trouble());
            }
        });
        last.put(subject, now);
        return all;
    }
}
