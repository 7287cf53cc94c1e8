package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nodes of a shared pool that come back, wake up, or seem to be gone for a while. */
class SharedPoolSilenceTest extends SharedPoolFixture {
    @Test
    void a_node_that_comes_back_goes_on_at_once() {
        int met = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            Path crashed = folder.resolve("crashed-" + moment);
            NativeId id = new NativeId("pvc-" + moment);
            AtomicInteger checks = new AtomicInteger();
            try (VolumeStore a = on("a")) {
                make(a, id, at(moment, () -> copy(base, crashed), checks));
            }
            if (checks.get() >= moment) {
                met++;
                try (VolumeStore again = on("a", crashed)) {
                    make(again, id, TestWork.patient());
                    verifyNothingUnfinished(crashed, "a");
                }
            }
        }
        assertThat(met).isGreaterThan(5);
    }

    @Test
    void a_node_that_was_silent_too_long_gives_up_what_another_one_makes_by_now() throws IOException {
        int gaveUp = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, new NativeId("pvc-0"), TestWork.patient());
                TestWork work = at(
                        moment,
                        () -> {
                            silence("a", base);
                            make(b, ID, TestWork.patient());
                        },
                        checks);
                boolean first = Failing.works(() -> make(a, ID, work));

                gaveUp += first ? 0 : 1;
                assertThat(make(b, ID, TestWork.patient()).fresh())
                        .as("moment %d", moment)
                        .isFalse();
                assertThat(b.find(ID, TestWork.patient()).orElseThrow().name()).isPresent();
                clock.advance(Duration.ofMinutes(11));
                make(a, new NativeId("pvc-3"), TestWork.patient());
                make(b, new NativeId("pvc-4"), TestWork.patient());
                verifyNothingUnfinished(base, "a", "b");
            }
        }
        assertThat(gaveUp).isGreaterThan(3);
    }

    @Test
    void a_node_that_wakes_up_just_before_its_last_step_does_not_replace_what_another_one_has_made()
            throws IOException {
        int met = 0;
        for (int moment = 1; moment <= MOMENTS; moment++) {
            anew();
            AtomicInteger checks = new AtomicInteger();
            List<Object> keys = new ArrayList<>();
            try (VolumeStore a = on("a");
                    VolumeStore b = on("b")) {
                make(a, new NativeId("pvc-0"), TestWork.patient());
                make(b, new NativeId("pvc-2"), TestWork.patient()); // b looks for what others left every ten minutes
                TestWork work = at(moment, () -> overtake(b, keys), checks);
                var _ = Failing.works(() -> make(a, ID, work));

                if (!keys.isEmpty()) {
                    met++;
                    assertThat(keyThere()).as("moment %d", moment).isEqualTo(keys.getFirst());
                }
            }
        }
        assertThat(met).isGreaterThan(3);
    }

    /** Lets another node make the volume that node a is making, as after a long silence of that one. */
    private void overtake(VolumeStore other, List<Object> keys) {
        silence("a", base);
        if (Failing.works(() -> make(other, ID, TestWork.patient()))) {
            keys.add(keyThere());
        }
    }

    private Object keyThere() {
        try {
            return key(base.resolve("v/pvc-1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_node_whose_clock_is_set_back_goes_on_showing_that_it_is_alive() throws IOException {
        try (VolumeStore a = on("a")) {
            make(a, new NativeId("pvc-0"), TestWork.patient());
            silence("a", base);
            clock.advance(Duration.ofHours(-1));

            assertThat(a.find(new NativeId("pvc-0"), TestWork.patient())).isPresent();

            assertThat(Files.getLastModifiedTime(base.resolve(".fairlead/nodes/a/alive"))
                            .toInstant())
                    .isAfter(Instant.now().minus(Duration.ofMinutes(5)));
        }
    }

    @Test
    void a_node_shows_that_it_is_alive_while_it_makes_something_that_takes_long() throws IOException {
        AtomicInteger rung = new AtomicInteger();
        try (VolumeStore a = on("a");
                VolumeStore b = on("b")) {
            make(a, new NativeId("pvc-0"), TestWork.patient());
            AtomicInteger checks = new AtomicInteger();
            TestWork work = TestWork.patient().cancelledWhen(() -> {
                if (Files.exists(base.resolve(".fairlead/claims/volume.pvc-1")) && checks.incrementAndGet() == 1) {
                    silence("a", base);
                    clock.advance(Duration.ofMinutes(2));
                    alarms.removeFirst().run();
                    rung.incrementAndGet();
                    refused(() -> make(b, ID, TestWork.patient()), "node a is making volume pvc-1");
                }
                return false;
            });

            make(a, ID, work);

            assertThat(rung).hasValue(1);
            List<Runnable> waiting = List.copyOf(alarms);
            alarms.clear();
            waiting.forEach(Runnable::run);
            assertThat(alarms).as("alarms after the end of the call").isEmpty();
        }
    }
}
