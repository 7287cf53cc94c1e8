package dev.fairlead.application.service.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RunningWorkTest {
    private static final Effect MKDIR = new Effect("mkdir", "/srv/v/pvc-1");

    private final TestClock clock = new TestClock();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final List<String> told = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void effect(Tried tried) {
            String where =
                    tried.connection().map(connection -> " on " + connection).orElse("");
            told.add(tried.effect().kind() + " " + tried.took().toMillis() + " " + tried.succeeded() + where);
        }
    };
    private final Work work = begin(Optional.of(Duration.ofSeconds(10)));

    @Test
    void every_effect_is_timed_and_counted() {
        work.effect(MKDIR, () -> clock.advance(Duration.ofMillis(7)));

        assertThat(told).containsExactly("mkdir 7 true");
    }

    @Test
    void an_effect_is_counted_under_the_connection_on_which_it_was_until_the_work_ends() {
        Work its = work.on(new ConnectionName("nas"));

        its.effect(MKDIR, () -> {});
        its.finishing().effect(MKDIR, () -> {});
        work.effect(MKDIR, () -> {});

        assertThat(told).containsExactly("mkdir 0 true on nas", "mkdir 0 true on nas", "mkdir 0 true");
    }

    @Test
    void an_effect_that_fails_is_counted_and_throws_what_it_threw() {
        var broken = new IOException("disk");

        assertThatThrownBy(() -> work.effect(MKDIR, () -> {
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(told).containsExactly("mkdir 0 false");
    }

    @Test
    void a_caller_that_has_gone_stops_the_next_effect_and_not_the_one_that_runs() {
        work.effect(MKDIR, () -> cancelled.set(true));

        assertThat(refusal(() -> work.effect(MKDIR, () -> told.add("never"))))
                .isEqualTo(new Failure.Cancelled("CreateVolume pvc-1"));
        assertThat(told).containsExactly("mkdir 0 true");
    }

    @Test
    void a_deadline_that_has_passed_stops_the_next_effect() {
        clock.advance(Duration.ofSeconds(10));

        assertThat(work.left()).isZero();
        assertThat(refusal(() -> work.effect(MKDIR, () -> told.add("never")))).isInstanceOf(Failure.Cancelled.class);
        assertThat(told).isEmpty();
    }

    @Test
    void work_that_is_finishing_goes_on_without_its_caller_and_tells_the_same_progress() {
        cancelled.set(true);
        Work finishing = work.finishing();

        finishing.effect(MKDIR, () -> finishing.progress(1, 3));

        assertThat(work.progressSoFar()).isEqualTo("1 of 3, 33 %");
        assertThat(refusal(work::checkCancelled)).isInstanceOf(Failure.Cancelled.class);
    }

    @Test
    void without_a_deadline_there_is_always_time() {
        Work patient = begin(Optional.empty());

        clock.advance(Duration.ofDays(30));

        patient.checkCancelled();
        assertThat(patient.left()).isGreaterThan(Duration.ofDays(1));
    }

    @Test
    void progress_is_told_in_words_also_where_the_total_is_unknown_or_enormous() {
        assertThat(work.progressSoFar()).isEmpty();

        work.progress(12, 0);
        assertThat(work.progressSoFar()).isEqualTo("12 done");

        work.progress(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        assertThat(work.progressSoFar()).endsWith(", 50 %");
    }

    @Test
    void what_is_moved_is_told_in_units_that_people_read() {
        work.moved("transfer of a to b", 13_207_024_435L, 43_057_047_142L);
        assertThat(work.progressSoFar()).isEqualTo("transfer of a to b: 12.3 of 40.1 GiB, 30 %");

        work.moved("transfer of a to b", 3 << 20, 2 << 20);
        assertThat(work.progressSoFar()).isEqualTo("transfer of a to b: 3.0 of 3.0 MiB, 100 %");

        work.moved("transfer of a to b", 0, 0);
        assertThat(work.progressSoFar()).isEqualTo("transfer of a to b: 0.0 of 0.0 MiB, 0 %");
    }

    @Test
    void the_end_of_the_process_stops_what_asks_for_it_and_no_effect() {
        List<String> done = new ArrayList<>();
        Work connected = work.on(new ConnectionName("nas"));
        connected.checkEnding();

        ending.set(true);

        assertThat(refusal(connected::checkEnding)).isInstanceOf(Failure.BackendUnavailable.class);
        connected.effect(new Effect("mkdir", "/v/a"), () -> done.add("mkdir"));
        assertThat(done).containsExactly("mkdir");
    }

    private Work begin(Optional<Duration> patience) {
        return UseCases.works(clock, telemetry, ending::get)
                .begin("r-1", "CreateVolume pvc-1", patience, cancelled::get);
    }

    private static Failure refusal(Runnable call) {
        try {
            call.run();
        } catch (StorageException refused) {
            return refused.failure();
        }
        throw new AssertionError("it was not refused");
    }
}
