package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Volumes of a shared pool that several nodes change, and processes that call themselves by one node's name. */
class SharedPoolGrowthTest extends SharedPoolFixture {
    private static final Capacity LARGE = Capacity.ofBytes(64L << 20);

    private static StoredVolume grow(VolumeStore store, TestWork work) {
        return store.expand(ID, new CapacityRange(Optional.of(LARGE), Optional.empty()), work);
    }

    @Test
    void a_volume_that_one_node_grows_keeps_what_another_one_notes_and_its_size() throws IOException {
        int refused = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            AtomicInteger noted = new AtomicInteger();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, ID, TestWork.patient());
                make(b, new NativeId("pvc-0"), TestWork.patient());
                Runnable note = () -> {
                    if (Failing.works(() -> b.note(ID, Map.of("context/by", "b"), TestWork.patient()))) {
                        noted.incrementAndGet();
                    }
                };

                grow(a, at(moment, note, checks));

                StoredVolume now = b.find(ID, TestWork.patient()).orElseThrow();
                assertThat(now.capacity()).as("moment %d", moment).contains(LARGE);
                assertThat(now.notes().containsKey("context/by"))
                        .as("moment %d", moment)
                        .isEqualTo(noted.get() > 0);
                refused += checks.get() >= moment && noted.get() == 0 ? 1 : 0;
                verifyNothingUnfinished(base, "a", "b");
            }
        }
        assertThat(refused).as("moments at which the other node was refused").isGreaterThan(1);
    }

    @Test
    void a_volume_that_grows_is_not_deleted_by_another_node_meanwhile() throws IOException {
        int refused = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            AtomicInteger deleted = new AtomicInteger();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, ID, TestWork.patient());
                make(b, new NativeId("pvc-0"), TestWork.patient());
                Runnable delete = () -> {
                    if (Failing.works(() -> b.delete(ID, OnDependents.REFUSE, TestWork.patient()))) {
                        deleted.incrementAndGet();
                    }
                };

                TestWork work = at(moment, delete, checks);
                boolean grown = Failing.works(() -> grow(a, work));

                assertThat(b.find(ID, TestWork.patient()).isPresent())
                        .as("moment %d", moment)
                        .isEqualTo(deleted.get() == 0);
                assertThat(grown || deleted.get() > 0).as("moment %d", moment).isTrue();
                assertThat(base.resolve(".fairlead/volumes/pvc-1.json").toFile().exists())
                        .as("record at moment %d", moment)
                        .isEqualTo(deleted.get() == 0);
                refused += checks.get() >= moment && deleted.get() == 0 ? 1 : 0;
            }
        }
        assertThat(refused).as("moments at which the other node was refused").isGreaterThan(1);
    }

    @Test
    void of_two_processes_of_one_node_the_later_one_works_and_the_other_is_refused_until_that_one_is_silent() {
        try (VolumeStore first = on("a");
                VolumeStore second = on("a")) {
            make(first, ID, TestWork.patient());
            make(second, new NativeId("pvc-2"), TestWork.patient());

            refused(() -> make(first, new NativeId("pvc-3"), TestWork.patient()), "calls its node a");
            refused(() -> grow(first, TestWork.patient()), "calls its node a");
            refused(() -> first.delete(ID, OnDependents.REFUSE, TestWork.patient()), "calls its node a");
            assertThat(first.find(ID, TestWork.patient())).isPresent();
            assertThat(grow(second, TestWork.patient()).capacity()).contains(LARGE);

            clock.advance(Duration.ofMinutes(11));
            make(first, new NativeId("pvc-3"), TestWork.patient());
            refused(() -> make(second, new NativeId("pvc-4"), TestWork.patient()), "calls its node a");
        }
    }

    @Test
    void a_system_clock_that_is_set_forward_makes_nobody_silent() {
        try (VolumeStore first = started();
                VolumeStore second = started()) {
            make(first, ID, TestWork.patient());
            make(second, new NativeId("pvc-2"), TestWork.patient());
            refused(() -> make(first, new NativeId("pvc-3"), TestWork.patient()), "calls its node a");

            clock.advance(Duration.ofMinutes(11));

            refused(() -> make(first, new NativeId("pvc-3"), TestWork.patient()), "calls its node a");
            make(second, new NativeId("pvc-4"), TestWork.patient());
        }
    }

    private VolumeStore started() {
        return new PoolFixture("a", clock).open(PoolFixture.unsaid("legacy", base, Map.of("shared", "true")));
    }

    @Test
    void a_process_that_is_succeeded_in_the_middle_of_a_call_puts_nothing_into_its_place() throws IOException {
        int gaveUp = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            AtomicInteger made = new AtomicInteger();
            try (VolumeStore first = on("a");
                    VolumeStore second = on("a")) {
                make(first, new NativeId("pvc-0"), TestWork.patient());
                Runnable succeed = () -> {
                    if (Failing.works(() -> make(second, ID, TestWork.patient()))) {
                        made.incrementAndGet();
                    }
                };

                TestWork work = at(moment, succeed, checks);
                boolean works = Failing.works(() -> make(first, ID, work));

                assertThat(works || made.get() > 0).as("moment %d", moment).isTrue();
                StoredVolume there = second.find(ID, TestWork.patient()).orElseThrow();
                assertThat(there.name()).as("moment %d", moment).isPresent();
                assertThat(make(second, ID, TestWork.patient()).fresh()).isFalse();
                gaveUp += works ? 0 : 1;
                clock.advance(Duration.ofMinutes(2)); // a claim that came late is dropped with the next sign of life
                assertThat(second.find(ID, TestWork.patient())).isPresent();
                verifyNothingUnfinished(base, "a");
            }
        }
        assertThat(gaveUp).as("moments at which the former process gave up").isGreaterThan(3);
    }
}
