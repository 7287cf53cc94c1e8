package dev.fairlead.adapter.k8s.election;

import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Takes one replica's part in the election, a step at a time, by the rules of client-go's leader election and three
 * that are stricter.
 *
 * <p>Another's lease runs from the moment when its record was last seen to change, on this replica's own monotonic
 * clock; the times in the record do not matter, so clocks may differ. A leader counts its time from before it sent the
 * renewal, and the others count from after they saw it, so that it stops before they begin.
 *
 * <p>The stricter rules: a leader that sees another's name, or none, has lost at once; a replica that saw another hold
 * a Lease, which somebody then deleted, takes it only when that holder's time would be up; and whether a replica leads
 * depends on the clock, not on the server.
 *
 * <p>An instance is for use by one thread, except for {@link #leadsUntil}.
 */
public final class Candidate {
    /** Says what a step came to. */
    sealed interface Step {
        /** The replica leads, until this instant unless it renews. */
        record Leads(Instant until) implements Step {}

        /** Another replica leads, or nobody; the next attempt is due no later than {@code freeAt}. */
        record Waits(String leader, Instant freeAt) implements Step {}

        /** The replica has lost the lead, since somebody else wrote over the Lease. */
        record Lost(String why) implements Step {}
    }

    private final Leases leases;
    private final String identity;
    private final Times times;
    private final InstantSource wall;
    private final InstantSource monotonic;
    private volatile State state = State.NOTHING;

    public Candidate(Leases leases, String identity, Times times, InstantSource wall, InstantSource monotonic) {
        this.leases = leases;
        this.identity = identity;
        this.times = times;
        this.wall = wall;
        this.monotonic = monotonic;
    }

    /**
     * Holds what is remembered between steps.
     *
     * @param held the newest version of the Lease that this replica wrote, while it leads
     * @param seen what was last found in the Lease
     * @param gone the time since which the Lease is missing, after another was seen to hold it
     */
    private record State(Optional<Lease> held, Optional<ObservedLease> seen, Optional<Instant> gone, Instant until) {
        private static final State NOTHING =
                new State(Optional.empty(), Optional.empty(), Optional.empty(), Instant.MIN);

        State leading(Lease lease, Instant now, Instant end) {
            return new State(Optional.of(lease), Optional.of(new ObservedLease(lease, now)), Optional.empty(), end);
        }

        State watching(ObservedLease sighting) {
            return new State(held, Optional.of(sighting), Optional.empty(), until);
        }

        State missing(Instant since) {
            return new State(held, seen, Optional.of(since), until);
        }

        /** Returns the Lease as it was last seen, if another than {@code identity} held it then. */
        Optional<Lease> otherThan(String identity) {
            return seen.map(ObservedLease::lease)
                    .filter(lease -> !lease.claim().isFree())
                    .filter(lease -> !lease.claim().holder().equals(identity));
        }
    }

    /** Holds a Lease, and since when its record has been unchanged. */
    private record ObservedLease(Lease lease, Instant since) {}

    /** Returns until when it leads if it does not renew; a time long past if it does not lead. */
    Instant leadsUntil() {
        return state.until();
    }

    /**
     * Takes, renews or watches the Lease.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the server gave no usable answer; whether this replica
     *     leads, and until when, is unchanged
     */
    Step step(Duration patience) {
        Instant begin = monotonic.instant();
        Optional<Lease> held = state.held();
        if (held.isPresent()) {
            Lease.Claim claim = held.get().renewed(times.lease(), wall.instant());
            Optional<Lease> renewed = leases.update(held.get(), claim, patience);
            if (renewed.isPresent()) {
                return lead(renewed.get(), begin);
            }
        }
        Optional<Lease> found = leases.find(left(patience, begin));
        return found.isPresent() ? meet(found.get(), begin, patience) : missing(begin, patience);
    }

    private Step meet(Lease lease, Instant begin, Duration patience) {
        boolean mine = lease.claim().holder().equals(identity);
        if (state.held().isPresent() && !mine) {
            return lose(
                    lease.claim().isFree()
                            ? "somebody emptied the Lease " + leases.name()
                            : lease.claim().holder() + " holds the Lease " + leases.name());
        }
        Instant now = monotonic.instant();
        ObservedLease sighting = state.seen()
                .filter(before -> before.lease().claim().equals(lease.claim()))
                .orElse(new ObservedLease(lease, now));
        state = state.watching(sighting);
        Instant freeAt = sighting.since().plus(lease.duration(times.lease()));
        if (!mine && !lease.claim().isFree() && now.isBefore(freeAt)) {
            return new Step.Waits(lease.claim().holder(), freeAt);
        }
        Lease.Claim claim = mine
                ? lease.renewed(times.lease(), wall.instant())
                : lease.taken(identity, times.lease(), wall.instant());
        Instant sent = monotonic.instant();
        return leases.update(lease, claim, left(patience, begin))
                .map(written -> lead(written, sent))
                .orElse(new Step.Waits("", now));
    }

    private Step missing(Instant begin, Duration patience) {
        Instant now = monotonic.instant();
        Optional<Lease> other = state.otherThan(identity);
        if (other.isPresent()) {
            // It may have been renewed until the moment when somebody deleted it.
            Instant gone = state.gone().orElse(now);
            Instant freeAt = gone.plus(other.get().duration(times.lease()));
            state = state.missing(gone);
            if (now.isBefore(freeAt)) {
                return new Step.Waits("", freeAt);
            }
        }
        return leases.create(Lease.born(identity, times.lease(), wall.instant()), left(patience, begin))
                .map(made -> lead(made, now))
                .orElse(new Step.Waits("", now));
    }

    private Step lead(Lease written, Instant sent) {
        Instant until = sent.plus(times.renewal());
        state = state.leading(written, monotonic.instant(), until);
        return new Step.Leads(until);
    }

    private Step lose(String why) {
        state = State.NOTHING;
        return new Step.Lost(why);
    }

    /** Empties the Lease if it is this replica's, which must not act as the leader any more. */
    void release(Duration patience) {
        Optional<Lease> held = state.held();
        state = State.NOTHING;
        if (held.isPresent()) {
            var _ = leases.update(held.get(), held.get().released(wall.instant()), patience);
        }
    }

    private Duration left(Duration patience, Instant begin) {
        Duration left = patience.minus(Duration.between(begin, monotonic.instant()));
        return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
    }
}
