package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.util.Optional;

/**
 * Hands the room of one pool to the two stores that promise it: Fairlead's own, and that of another program's volumes.
 */
final class SharedRoom {
    private static final String GUEST = "guest/";

    private Optional<PoolRoom> room = Optional.empty();

    /** Returns the key of a volume or snapshot of another program's, which none of Fairlead's own has. */
    static String ofGuest(String id) {
        return GUEST + id;
    }

    PoolRoom of(PoolRoom opened) {
        room = Optional.of(opened);
        return opened;
    }

    /** Returns the room for the other program's volumes. */
    Promises forGuests() {
        return new OfGuests(room.orElseThrow());
    }

    private record OfGuests(PoolRoom all) implements Promises {
        @Override
        public <T> T admit(String id, Capacity size, Work work, Making<T> making) throws IOException {
            return all.admit(ofGuest(id), size, work, making);
        }

        @Override
        public Room room(Work work) throws IOException {
            return all.room(work);
        }

        @Override
        public void released(String id) {
            all.released(ofGuest(id));
        }

        @Override
        public void lookAnew() {
            all.lookAnew();
        }
    }
}
