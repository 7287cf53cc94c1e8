package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.room.Reserve;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the pools lie, which metrics tell. */
class PoolPlacesTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    @Test
    void a_pool_on_the_disk_of_the_operating_system_is_told_and_looked_at_again_after_a_minute() {
        AtomicReference<Object> device = new AtomicReference<>("system");
        AtomicInteger looks = new AtomicInteger();
        AtomicReference<Instant> clock = new AtomicReference<>(Instant.EPOCH);
        SystemDisk system = new SystemDisk(List.of(Path.of("/")), path -> {
            looks.incrementAndGet();
            return Optional.of(path.startsWith(folder.resolve("disk")) ? device.get() : "system");
        });
        PoolFixture fixture = new PoolFixture("existing", new PoolFixture.NoDevices(), system, clock::get);
        fixture.openTold(
                        PoolFixture.pool("legacy", folder.resolve("root"), "directory"),
                        PoolFixture.pool("fast", folder.resolve("disk"), "directory"))
                .close();

        assertThat(fixture.places().now()).containsExactly(place("legacy", true), place("fast", true));
        device.set("mounted");
        int before = looks.get();
        clock.set(Instant.EPOCH.plus(Duration.ofSeconds(59)));
        assertThat(fixture.places().now()).containsExactly(place("legacy", true), place("fast", true));
        assertThat(looks).hasValue(before);
        clock.set(Instant.EPOCH.plus(Duration.ofSeconds(60)));
        assertThat(fixture.places().now()).containsExactly(place("legacy", true), place("fast", false));
    }

    /** A scrape has a deadline, and is to tell of all else too. */
    @Test
    void a_disk_that_does_not_answer_holds_up_nobody_and_is_looked_at_by_one_thread() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        AtomicInteger threads = new AtomicInteger();
        SystemDisk system = new SystemDisk(List.of(Path.of("/")), path -> {
            try {
                back.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return Optional.of("system");
        });
        PoolPlaces places = new PoolPlaces(
                system,
                InstantSource.system(),
                task -> {
                    threads.incrementAndGet();
                    Thread.ofPlatform().daemon().start(task);
                },
                Duration.ofMillis(50));
        ConnectionName connection = new ConnectionName("test");
        PoolSettings pool = new PoolSettings(
                "legacy",
                Path.of("/hung"),
                Optional.empty(),
                Reserve.NONE,
                1,
                true,
                false,
                false,
                false,
                Optional.empty());
        places.opened(connection, List.of(pool));

        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(places.now()).isEmpty();
            places.opened(connection, List.of(pool));
            assertThat(places.now()).isEmpty();
        });
        assertThat(threads).hasValue(1);

        back.countDown();
        while (places.now().isEmpty()) {
            Thread.sleep(5);
        }
        assertThat(places.now()).containsExactly(place("legacy", true));
        assertThat(threads).hasValue(1);
    }

    private static PoolPlace place(String pool, boolean shared) {
        return new PoolPlace(new ConnectionName("test"), pool, shared);
    }
}
