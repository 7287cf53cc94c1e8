package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps the sessions with one box: one for all that is asked, and for changes as well, unless a change whose time is up
 * would take others with it. That is so of a box that ends a call with its socket, since there is no other way to stop
 * one: changes that are made at the same time get sessions of their own there, up to a few.
 *
 * <p>A box counts logins, and lets nobody in for a minute after twenty. So after a few openings within a minute changes
 * share what is open; before one of those is cut, the others are given a moment to end.
 */
final class SessionLinks implements AutoCloseable {
    private static final int MOST_FURTHER = 3;
    private static final int MOST_OPENED = 8;
    private static final Duration COUNTED = Duration.ofMinutes(1);

    /** The longest time for which a change waits for a session of its own, while there is one that others use. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** The first release that ends a call with its socket. */
    private static final int FIRST_TO_STOP = 26;

    private final Function<Runnable, SessionLink> linking;
    private final InstantSource clock;
    private final Place first;
    private final List<Place> further = new ArrayList<>();
    private final Deque<Instant> opened = new ArrayDeque<>();
    private boolean closed;

    /** @param linking makes a link that runs its argument before each opening */
    SessionLinks(Function<Runnable, SessionLink> linking, InstantSource clock) {
        this.linking = linking;
        this.clock = clock;
        this.first = new Place(linking.apply(this::opening));
    }

    /** Counts the changes that are under way by one link. */
    private static final class Place {
        private final SessionLink link;
        private int changes;

        Place(SessionLink link) {
            this.link = link;
        }

        int changes() {
            return changes;
        }
    }

    /** Lends a session for one change. */
    record Lease(Session session, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    private synchronized void opening() {
        opened.addLast(clock.instant());
    }

    /** Returns the session for all that is asked; opens it if there is none. Nothing has been done if this fails. */
    Session session(Duration patience, Runnable between) throws SessionException, InterruptedException {
        return first.link.session(patience, between);
    }

    /**
     * Returns a session for a change: one that no other change is under way by, as far as there may be one.
     *
     * @param asking the session for all that is asked, which is used if no further one can be opened
     */
    Lease forChange(Session asking, Duration patience) throws InterruptedException {
        Place place = enter(asking.release());
        if (place != first) {
            Duration wait = patience.compareTo(LONGEST_WAIT) < 0 ? patience : LONGEST_WAIT;
            try {
                return new Lease(place.link.session(wait, () -> {}), () -> leave(place));
            } catch (SessionException _) {
                leave(place);
                enterFirst();
            } catch (InterruptedException | RuntimeException e) {
                leave(place);
                throw e;
            }
        }
        return new Lease(asking, () -> leave(first));
    }

    /** Returns the session itself for a change that has to go by the one by which was asked. */
    Lease forSame(Session asking) {
        enterFirst();
        return new Lease(asking, () -> leave(first));
    }

    private synchronized Place enter(TruenasRelease release) {
        boolean endsWithSocket = !release.overRest() && release.isAtLeast(FIRST_TO_STOP, 0);
        Place chosen = endsWithSocket && first.changes > 0 ? besides() : first;
        chosen.changes++;
        return chosen;
    }

    private Place besides() {
        Place open = further.stream()
                .filter(place -> place.link.hasSession())
                .min(Comparator.comparingInt(Place::changes))
                .filter(place -> place.changes < first.changes)
                .orElse(first);
        return open.changes == 0 ? open : closed().orElse(open);
    }

    /** Returns a place whose session is yet to be opened, if there may be one more. */
    private Optional<Place> closed() {
        Instant since = clock.instant().minus(COUNTED);
        opened.removeIf(time -> time.isBefore(since));
        if (closed || opened.size() >= MOST_OPENED) {
            return Optional.empty();
        }
        Optional<Place> known = further.stream()
                .filter(place -> place.changes == 0 && !place.link.hasSession())
                .findFirst();
        if (known.isEmpty() && further.size() < MOST_FURTHER) {
            known = Optional.of(new Place(linking.apply(this::opening)));
            further.add(known.get());
        }
        return known;
    }

    private synchronized void enterFirst() {
        first.changes++;
    }

    private synchronized void leave(Place place) {
        place.changes--;
    }

    @Override
    public void close() {
        ended().forEach(SessionLink::close);
    }

    /** Returns all links there are, to which none is added from then on. */
    private synchronized List<SessionLink> ended() {
        closed = true;
        List<SessionLink> links = new ArrayList<>(List.of(first.link));
        further.forEach(place -> links.add(place.link));
        return links;
    }
}
