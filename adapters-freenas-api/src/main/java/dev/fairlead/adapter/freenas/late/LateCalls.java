package dev.fairlead.adapter.freenas.late;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Remembers the calls of this process whose end was not seen, and what it has seen of the calls of others. A box goes
 * on with such a call, and may do it after somebody has looked whether it was done: up to 25.10 always, from 26 on if
 * it does not learn that the caller has gone.
 *
 * <p>All times are counted by this process's own clock, from what it has seen itself; clocks are never compared.
 */
public final class LateCalls {
    /** The time after which a call is taken for ended, since its end was missed or its note was first seen. */
    public static final Duration LONGEST = Duration.ofMinutes(3);

    /** The time within which a call is sent after its note, or not at all: much less than others wait for it. */
    static final Duration GOOD = Duration.ofSeconds(45);

    /** The time after which nobody asks for a note any more that was seen. */
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    private final InstantSource clock;
    private final String process = UUID.randomUUID().toString();
    private final AtomicReference<Optional<Instant>> begun = new AtomicReference<>(Optional.empty());
    private final ConcurrentMap<String, Instant> own = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ObservedNote> others = new ConcurrentHashMap<>();
    private final ConcurrentMap<ChangeTarget, Instant> lost = new ConcurrentHashMap<>();
    private final Set<ChangeTarget> settled = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<ChangeTarget, Instant> doubtful = new ConcurrentHashMap<>();
    private final ConcurrentMap<ChangeTarget, KeptId> noted = new ConcurrentHashMap<>();

    /** Names what calls change, such as the shares of a path; the same for all connections to a box. */
    public record ChangeTarget(String box, String what) {}

    private record ObservedNote(Instant first, Instant last) {}

    private record KeptId(String id, Instant since) {}

    /** @param clock counts from any moment, and is set by nobody */
    public LateCalls(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns what is changed on a connection's box. */
    public static ChangeTarget thing(TruenasApi api, String what) {
        return new ChangeTarget(api.box(), what);
    }

    private Instant now() {
        return clock.instant();
    }

    /**
     * Returns when this process began to ask boxes: with its first question here, since one that waits to lead asks
     * none, however long it waits.
     */
    private Instant begun() {
        return begun.updateAndGet(known -> known.or(() -> Optional.of(now()))).orElseThrow();
    }

    private boolean isOver(Instant since) {
        return since.plus(LONGEST).isBefore(now());
    }

    /** Says whether a change that failed may still come. */
    public static boolean mayCome(StorageException e) {
        boolean unknown = e.failure() instanceof Failure.OutcomeUnknown || e.failure() instanceof Failure.TimedOut;
        return unknown && !SessionException.isStopped(e.getCause());
    }

    /** Makes a change of a thing, and remembers if its end was not seen, or if it may be done in part. */
    public <T> T changing(ChangeTarget thing, Supplier<T> change) {
        Instant _ = begun();
        try {
            T result = change.get();
            doubtful.remove(thing);
            return result;
        } catch (StorageException e) {
            doubtful.values().removeIf(since -> since.plus(FORGOTTEN).isBefore(now()));
            doubtful.put(thing, now());
            if (mayCome(e)) {
                lost.put(thing, now());
            }
            throw e;
        }
    }

    /** Says whether the last change of a thing failed, so that what is read back may not be what holds. */
    public boolean isDoubtful(ChangeTarget thing) {
        return doubtful.containsKey(thing);
    }

    /** Notes that no call which may come can do anything to a thing any more. */
    public void settle(ChangeTarget thing) {
        lost.remove(thing);
        if (isYoung()) {
            settled.add(thing);
        }
    }

    /** Says whether a call of this process may still change a thing. */
    public boolean mayChange(ChangeTarget thing) {
        Instant _ = begun();
        lost.values().removeIf(this::isOver);
        return lost.containsKey(thing);
    }

    /** Says the same also of calls of a process before this one, of which nothing is known at its start. */
    public boolean anyMayChange(ChangeTarget thing) {
        return mayChange(thing) || (isYoung() && !settled.contains(thing));
    }

    private boolean isYoung() {
        boolean young = !isOver(begun());
        if (!young) {
            settled.clear();
        }
        return young;
    }

    /** Returns the id of a call that is about to be sent, by which its note is known. */
    public String begin() {
        Instant _ = begun();
        String id = process + "-" + UUID.randomUUID().toString().substring(0, 8);
        own.put(id, now());
        return id;
    }

    /**
     * Returns the same id for a call that was sent before, and keeps it until it is taken or its note is away; no
     * longer than for a day, since whoever meets an old note takes it away.
     */
    public String begin(ChangeTarget thing) {
        String id = begin();
        noted.values().removeIf(kept -> kept.since().plus(FORGOTTEN).isBefore(now()));
        noted.put(thing, new KeptId(id, now()));
        return id;
    }

    /** Returns the id that was kept for a thing, once; its call has ended. */
    public Optional<String> taken(ChangeTarget thing) {
        Optional<String> id = Optional.ofNullable(noted.remove(thing)).map(KeptId::id);
        id.ifPresent(this::end);
        return id;
    }

    /** Forgets the id that was kept for a thing, if it is one of those whose notes are away. */
    public void forget(ChangeTarget thing, Predicate<String> away) {
        Optional.ofNullable(noted.get(thing))
                .filter(kept -> away.test(kept.id()))
                .ifPresent(kept -> noted.remove(thing, kept));
    }

    /** Notes that the end of a call was seen, or that it was not sent. */
    public void end(String id) {
        own.remove(id);
    }

    /** Notes that the end of a call was missed at this moment. */
    public void lose(String id) {
        own.put(id, now());
    }

    /** Returns for how long a call may still be sent after its note; nothing once it may not. */
    public Duration left(String id) {
        Instant since = own.getOrDefault(id, Instant.MIN);
        return since.equals(Instant.MIN) ? Duration.ZERO : Duration.between(now(), since.plus(GOOD));
    }

    /** Says whether a note is of a call of this process. */
    public boolean isOwn(String id) {
        return id.startsWith(process + "-");
    }

    /** Says whether the call of a note may still come: of others' until their notes have been seen for long enough. */
    public boolean mayCome(String id) {
        if (isOwn(id)) {
            own.values().removeIf(this::isOver);
            return own.containsKey(id);
        }
        Instant now = now();
        others.values().removeIf(note -> note.last().plus(FORGOTTEN).isBefore(now));
        ObservedNote seen = new ObservedNote(now, now);
        return !isOver(others.merge(id, seen, (known, it) -> new ObservedNote(known.first(), it.last()))
                .first());
    }
}
