package dev.fairlead.adapter.freenas.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a box is asked whether its service runs, and for how long its answer counts. */
class ServiceWatchTest {
    private final SteppingClock clock = SteppingClock.standing();
    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    private SimulatedBox box() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var row = new JsonObject();
        row.addProperty("service", "nfs");
        row.addProperty("enable", true);
        row.addProperty("state", "RUNNING");
        box.put("service", row);
        return box;
    }

    private static void set(SimulatedBox box, String state) {
        String key = box.rows("service").getFirst().get("id").getAsString();
        box.tamper("service", key, row -> {
            row.addProperty("state", state);
            return row;
        });
    }

    private ServiceWatch watch(SimulatedBox box) {
        return new ServiceWatch(box.client().get(), BoxService.NFS, clock);
    }

    private static long asked(SimulatedBox box) {
        return box.calls().stream().filter("service.query"::equals).count();
    }

    @Test
    void a_service_that_runs_is_asked_for_once_a_minute() {
        try (SimulatedBox box = box()) {
            ServiceWatch watch = watch(box);
            for (int i = 0; i < 100; i++) {
                watch.require(work);
            }
            assertThat(asked(box)).isEqualTo(1);
            set(box, "STOPPED");
            assertThatCode(() -> watch.require(work)).doesNotThrowAnyException();

            clock.advance(ServiceWatch.RUNS.plusMillis(1));

            Failing.with(Failure.BackendUnavailable.class, () -> watch.require(work));
            assertThat(asked(box)).isEqualTo(2);
        }
    }

    @Test
    void a_service_that_was_restarted_keeps_nobody_waiting() {
        try (SimulatedBox box = box()) {
            ServiceWatch watch = watch(box);
            set(box, "STOPPED");
            Failing.with(Failure.BackendUnavailable.class, () -> watch.require(work));
            set(box, "RUNNING");
            Failing.with(Failure.BackendUnavailable.class, () -> watch.require(work));

            clock.advance(Duration.ofMillis(1001));

            assertThatCode(() -> watch.require(work)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_box_that_does_not_say_keeps_nobody_from_anything() {
        try (SimulatedBox box = box()) {
            set(box, "STOPPED");
            box.fault(Fault.at("service.query", new Fault.Refusal(13, "Not authorized"))
                    .always());
            ServiceWatch watch = watch(box);

            assertThatCode(() -> watch.require(work)).doesNotThrowAnyException();
            assertThatCode(() -> watch.require(work)).doesNotThrowAnyException();
            assertThat(asked(box)).isEqualTo(1);
        }
    }

    @Test
    void a_state_that_is_no_end_of_the_service_is_no_trouble() {
        try (SimulatedBox box = box()) {
            set(box, "UNKNOWN");

            assertThatCode(() -> watch(box).require(work)).doesNotThrowAnyException();
        }
    }
}
