package dev.fairlead.bootstrap.serving.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import dev.fairlead.bootstrap.serving.ToldAnnouncements;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolEventsTest {
    private final List<Announcement> told = new ArrayList<>();
    private final PoolEvents events = new PoolEvents(new ToldAnnouncements(told));

    private static PoolPlace pool(String name, boolean shared) {
        return new PoolPlace(new ConnectionName("disks"), name, shared);
    }

    @Test
    void a_pool_on_the_disk_of_the_operating_system_is_told_once_and_once_when_that_ends() {
        events.found(List.of(pool("a", false), pool("b", true)));
        events.found(List.of(pool("a", false), pool("b", true)));
        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.POOL_ON_SYSTEM_DISK);
            assertThat(event.subject()).isEqualTo("disks/b");
            assertThat(event.text())
                    .contains("pool 'b' of connection 'disks'", "operating system", "systemDisk: refuse");
        });

        events.found(List.of(pool("a", false), pool("b", false)));
        events.found(List.of(pool("a", false), pool("b", false)));

        assertThat(told).extracting(Announcement::kind).containsExactly(Kind.POOL_ON_SYSTEM_DISK, Kind.POOL_RECOVERED);
    }
}
