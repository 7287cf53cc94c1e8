package dev.fairlead.application.service.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.testkit.fake.InMemoryStorage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptRoomsTest {
    private static final Room ROOM = new Room(Capacity.ofGibibytes(10), Optional.empty());
    private static final Map<String, String> CLASS = Map.of("connection", "a");

    private final Backend backend = version();
    private long now = Long.MAX_VALUE - 5; // the clock of a machine may be anywhere
    private final KeptRooms rooms = new KeptRooms(() -> now);

    private static Backend version() {
        return ControllerFixture.backend(
                new ConnectionName("a"),
                InMemoryStorage.named("a"),
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), Duration.ofSeconds(1)));
    }

    @Test
    void what_was_told_is_known_for_a_minute() {
        assertThat(rooms.of(backend, CLASS)).isEmpty();
        assertThat(rooms.ask(backend, CLASS, () -> ROOM)).isEqualTo(ROOM);
        now += KeptRooms.AGE.toNanos();
        assertThat(rooms.of(backend, CLASS)).contains(ROOM);
        now++;
        assertThat(rooms.of(backend, CLASS)).isEmpty();
    }

    @Test
    void a_failure_takes_its_place() {
        rooms.ask(backend, CLASS, () -> ROOM);
        assertThatThrownBy(() -> rooms.ask(backend, CLASS, () -> {
                    throw new StorageException(new Failure.BackendUnavailable("a", "gone"));
                }))
                .isInstanceOf(StorageException.class);
        assertThat(rooms.of(backend, CLASS)).isEmpty();
    }

    /** As where a lock was waited for, or the caller has gone: it says nothing of the storage. */
    @Test
    void a_failure_that_comes_late_does_not() {
        rooms.ask(backend, CLASS, () -> ROOM);
        assertThatThrownBy(() -> rooms.ask(backend, CLASS, () -> {
                    now += Duration.ofMillis(1_900).toNanos();
                    throw new StorageException(new Failure.BackendUnavailable("a", "in time of the call"));
                }))
                .isInstanceOf(StorageException.class);
        assertThat(rooms.of(backend, CLASS)).contains(ROOM);
    }

    @Test
    void of_two_answers_that_counts_whose_question_began_later() {
        Room less = new Room(Capacity.ofGibibytes(1), Optional.empty());
        rooms.ask(backend, CLASS, () -> {
            now += Duration.ofSeconds(5).toNanos();
            assertThat(rooms.ask(backend, CLASS, () -> less)).isEqualTo(less);
            now += Duration.ofSeconds(5).toNanos();
            return ROOM;
        });
        assertThat(rooms.of(backend, CLASS)).contains(less);
        now += KeptRooms.AGE.toNanos() - Duration.ofSeconds(4).toNanos();
        assertThat(rooms.of(backend, CLASS)).isEmpty();
    }

    @Test
    void another_class_and_another_version_of_the_connection_have_told_nothing() {
        rooms.ask(backend, CLASS, () -> ROOM);
        assertThat(rooms.of(backend, Map.of("connection", "a", "storagePool", "b")))
                .isEmpty();
        assertThat(rooms.of(version(), CLASS)).isEmpty();
    }
}
