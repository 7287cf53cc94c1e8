package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromisesTest {
    private final List<String> told = new ArrayList<>();

    private final Promises promises = new Promises() {
        @Override
        public <T> T admit(String id, Capacity size, Work work, Making<T> making) throws IOException {
            return making.run();
        }

        @Override
        public Room room(Work work) {
            return new Room(Capacity.ZERO, Optional.empty());
        }

        @Override
        public void released(String id) {
            told.add("released " + id);
        }

        @Override
        public void lookAnew() {
            told.add("look anew");
        }
    };

    @Test
    void what_was_removed_is_released() throws Exception {
        List<String> keys = promises.releaseAll(() -> {
            told.add("removed");
            return List.of("a", "b");
        });
        assertThat(keys).containsExactly("a", "b");
        assertThat(told).containsExactly("removed", "released a", "released b");
    }

    @Test
    void after_a_removal_that_failed_everything_is_looked_at() {
        assertThatThrownBy(() -> promises.release("a", () -> {
                    throw new IOException("cut after the rename");
                }))
                .isInstanceOf(IOException.class);
        assertThat(told).containsExactly("look anew");
    }

    @Test
    void a_key_tells_a_snapshot_from_a_volume() {
        assertThat(Promises.snapshotOf(Promises.ofSnapshot("a"))).contains("a");
        assertThat(Promises.snapshotOf("a")).isEmpty();
        assertThat(Promises.snapshotOf("guest/snapshot/a")).isEmpty();
    }
}
