package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of {@code zfs} that do not end, and what the pool does meanwhile. */
@Timeout(60)
class SilentZfsTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch hung = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private PlayedDatasets datasets = PlayedDatasets.NONE;
    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        datasets = new PlayedDatasets(folder);
        pool = Files.createDirectory(folder.resolve("pool"));
    }

    @AfterEach
    void release() {
        end.countDown();
    }

    private VolumeStore open() {
        return openHanging((_, _) -> false);
    }

    /** Opens the pool where some runs hang until the end of the test. */
    private VolumeStore openHanging(BiPredicate<String, String> some) {
        return new PoolFixture("create", WatchedDatasets.of(datasets, (run, dataset) -> {
                    if (some.test(run, dataset)) {
                        runs.incrementAndGet();
                        hung.countDown();
                        awaitEnd();
                    }
                }))
                .open(PoolFixture.pool("legacy", pool, "zfs"));
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void make(VolumeStore store, String name) {
        var _ = store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
    }

    private static Capacity available(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available();
    }

    @Test
    void a_limit_that_hangs_when_it_is_set_again_holds_up_no_other_call() throws Exception {
        try (VolumeStore store = open()) {
            make(store, "pvc-a");
        }
        String dataset = VolumeDataset.in(pool.resolve("v/pvc-a")).orElseThrow().below("tank/pool");
        datasets.limit(dataset, 0);
        try (VolumeStore store = openHanging((run, of) -> run.equals("limit") && of.equals(dataset))) {
            Thread first = Thread.startVirtualThread(() -> available(store));
            assertThat(hung.await(20, TimeUnit.SECONDS)).isTrue();

            make(store, "pvc-b");

            assertThat(available(store)).isNotEqualTo(Capacity.ZERO);
            assertThat(first.isAlive())
                    .as("it waits for the limit, and the others did not")
                    .isTrue();
            end.countDown();
            first.join();
        }
    }

    @Test
    void a_dataset_whose_making_hangs_holds_up_no_other_call() throws Exception {
        try (VolumeStore store = openHanging((run, _) -> run.equals("create") && hung.getCount() == 1)) {
            Capacity before = available(store);
            Thread first = Thread.startVirtualThread(() -> make(store, "pvc-a"));
            assertThat(hung.await(20, TimeUnit.SECONDS)).isTrue();

            make(store, "pvc-b");

            assertThat(available(store).bytes()).as("both count").isEqualTo(before.bytes() - (32 << 20));
            end.countDown();
            first.join();
        }
    }

    @Test
    void a_reading_that_hangs_ends_a_call_with_its_time_and_one_run_is_enough_for_all() throws Exception {
        AtomicBoolean hangs = new AtomicBoolean(); // not while the pool is opened
        try (VolumeStore store =
                openHanging((run, of) -> run.equals("find") && of.equals("tank/pool") && hangs.get())) {
            hangs.set(true);
            for (int call = 1; call <= 3; call++) {
                Duration time = Duration.ofMillis(call == 1 ? 2_000 : 50);
                assertThatThrownBy(() -> store.room(Map.of(), TestWork.patient().left(time)))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                        .hasMessageContaining("in the time of the call");
            }
            assertThat(runs).hasValue(1);

            end.countDown();

            assertThat(available(store)).isNotEqualTo(Capacity.ZERO);
        }
    }
}
