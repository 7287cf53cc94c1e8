package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Remembers for a minute what room connections told, for calls in which one does not answer in time. A busy disk that
 * takes three seconds is not one without room, and a provisioner that is told so does not ask again for a quarter of an
 * hour.
 */
final class KeptRooms {
    /** The longest time for which a connection may not answer and is still taken to have the room that it told. */
    static final Duration AGE = Duration.ofMinutes(1);

    /** The time within which a failure is an answer: less than what a connection has, since it may begin later. */
    private static final Duration SOON = Duration.ofMillis(1_500);

    /** The most answers that are remembered; those beyond are not. */
    private static final int MOST = 1_000;

    private final Map<Key, Told> all = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    /** @param nanos a clock that is never set */
    KeptRooms(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record Key(ConnectionName connection, Map<String, String> parameters) {}

    private record Told(Backend backend, Room room, long begun) {}

    /**
     * Asks for the room, and remembers the answer, however late it comes. A failure takes the place of what was told,
     * unless it came so late that it may say no more than that the caller has gone.
     */
    Room ask(Backend backend, Map<String, String> parameters, Supplier<Room> question) {
        long begun = nanos.getAsLong();
        all.values().removeIf(it -> isOld(it.begun()));
        Key key = new Key(backend.name(), Map.copyOf(parameters));
        try {
            Room room = question.get();
            if (all.containsKey(key) || all.size() < MOST) {
                all.merge(
                        key,
                        new Told(backend, room, begun),
                        (before, now) -> before.begun() - now.begun() > 0 ? before : now);
            }
            return room;
        } catch (RuntimeException | Error e) {
            if (nanos.getAsLong() - begun < SOON.toNanos()) {
                all.remove(key);
            }
            throw e;
        }
    }

    /** Returns what a connection has told in the last minute, if its file has not changed since. */
    @SuppressWarnings("ReferenceEquality") // another version of the connection may be an equal one of other storage
    Optional<Room> of(Backend backend, Map<String, String> parameters) {
        return Optional.ofNullable(all.get(new Key(backend.name(), Map.copyOf(parameters))))
                .filter(it -> it.backend() == backend && !isOld(it.begun()))
                .map(Told::room);
    }

    private boolean isOld(long begun) {
        return nanos.getAsLong() - begun > AGE.toNanos();
    }
}
