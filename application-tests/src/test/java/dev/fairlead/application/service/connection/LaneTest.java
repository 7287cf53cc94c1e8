package dev.fairlead.application.service.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.service.call.RunningWork;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.call.TestClock;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class LaneTest {
    private static final Duration PATIENCE = Duration.ofMillis(30);

    private final TestClock clock = new TestClock();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void abandoned(ConnectionName connection) {
            abandoned.incrementAndGet();
        }
    };
    private final Lane lane = lane("nas", 2);
    private final CountDownLatch storageAnswers = new CountDownLatch(1);
    private final RunningWork work = clock.work("CreateVolume pvc-1");

    @AfterEach
    void nothing_stays_stuck() {
        storageAnswers.countDown();
    }

    @Test
    void calls_run_on_platform_threads_that_name_the_connection() {
        Thread thread = lane.read(work, "look", Thread::currentThread);

        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.getName()).isEqualTo("lane-nas");
    }

    @Test
    void what_the_storage_throws_reaches_the_caller_unchanged() {
        var refused = new StorageException(new Failure.BackendRejected("nas", "no"));
        var error = new AssertionError("cut");
        var patient = new Lane(
                new ConnectionName("nas"),
                2,
                Duration.ofSeconds(10),
                Thread.ofPlatform().factory(),
                clock,
                telemetry);

        assertThatThrownBy(() -> patient.read(work, "look", () -> {
                    throw refused;
                }))
                .isSameAs(refused);
        assertThatThrownBy(() -> patient.change(work, "make", () -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void a_read_that_hangs_is_abandoned_with_the_connection_and_the_oldest_call() {
        Failure failure = refusal(() -> lane.read(work, "look", this::hang));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message())
                .contains("connection nas is not available", "look", "30 ms", "CreateVolume pvc-1");
        assertThat(abandoned).hasValue(1);
    }

    @Test
    void a_read_waits_no_longer_than_its_caller() {
        var short1 = RunningWork.begin(
                "r-2", "GetCapacity", Optional.of(Duration.ofMillis(1)), () -> false, () -> false, clock, telemetry);
        Lane patient =
                new Lane(new ConnectionName("nas"), 2, Duration.ofMinutes(5), platformThreads(), clock, telemetry);

        Failure failure = refusal(() -> patient.read(short1, "ask for room", this::hang));

        assertThat(failure.message()).contains("within 1 ms");
    }

    @Test
    void a_change_that_cannot_begin_in_time_never_begins() throws InterruptedException {
        Lane narrow = lane("nas", 1);
        CountDownLatch busy = new CountDownLatch(1);
        FutureTask<String> stuck = inBackground(() -> narrow.change(work, "make", () -> {
            busy.countDown();
            return hang();
        }));
        AtomicBoolean begun = new AtomicBoolean();
        busy.await();

        Failure failure =
                refusal(() -> narrow.change(clock.work("DeleteVolume"), "remove", () -> begun.getAndSet(true)));
        storageAnswers.countDown();

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message()).contains("remove could not begin", "nothing was changed", "make");
        assertThat(get(stuck)).isEqualTo("answer");
        assertThat(narrow.<String>read(work, "look", () -> "next")).isEqualTo("next");
        assertThat(begun).isFalse();
    }

    @Test
    void a_change_that_has_begun_is_waited_for_beyond_patience_and_interruption() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        FutureTask<String> change = new FutureTask<>(() -> {
            String answer = lane.change(work, "make", () -> {
                begun.countDown();
                return hang();
            });
            interrupted.set(Thread.currentThread().isInterrupted());
            return answer;
        });
        Thread caller = Thread.ofVirtual().start(change);
        begun.await();

        caller.interrupt();
        boolean ended = caller.join(PATIENCE.multipliedBy(2));
        storageAnswers.countDown();

        assertThat(ended).isFalse();
        assertThat(get(change)).isEqualTo("answer");
        assertThat(interrupted).isTrue();
    }

    @Test
    void a_change_beside_its_caller_begins_though_that_one_has_no_time_left_and_is_left_behind_where_it_hangs() {
        var late = RunningWork.begin(
                "r-2", "CreateVolume pvc-1", Optional.of(Duration.ZERO), () -> true, () -> false, clock, telemetry);

        assertThat(lane.begin(late, "let go", () -> "done").outcome()).isEqualTo("done");
        Lane.Change<String> hanging = lane.begin(late, "send", this::hang);
        assertThat(refusal(() -> hanging.within(PATIENCE)).message()).contains("send");
        storageAnswers.countDown();

        assertThat(hanging.outcome()).isEqualTo("answer");
    }

    @Test
    void a_saturated_lane_fails_at_once() {
        Lane narrow = lane("nas", 1);
        List<Lane.Question<String>> waiting = new ArrayList<>();

        Failure failure = refusal(() -> {
            for (int i = 0; i < 20; i++) {
                waiting.add(narrow.ask(work, "look", this::hang));
            }
        });

        assertThat(waiting).hasSizeBetween(8, 10);
        assertThat(failure.message()).contains("1 calls are at work and 8 wait");
    }

    @Test
    void when_all_threads_have_outlasted_patience_nobody_waits_in_vain() {
        refusal(() -> lane.read(work, "first", this::hang));
        refusal(() -> lane.read(work, "second", this::hang));
        clock.advance(Duration.ofSeconds(60));

        Failure failure = refusal(() -> lane.read(work, "third", () -> "never"));

        assertThat(failure.message()).contains("all of its 2 calls at once are stuck", "for 60 s");
    }

    @Test
    void a_call_that_tells_its_progress_is_not_stuck() {
        work.progress(1, 1000);
        refusal(() -> lane.read(work, "first", this::hang));
        refusal(() -> lane.read(work, "second", this::hang));
        clock.advance(Duration.ofSeconds(60));

        Failure failure = refusal(() -> lane.read(work, "third", () -> "late"));

        assertThat(failure.message()).contains("did not answer");
    }

    @Test
    void a_hung_connection_takes_no_threads_of_another() {
        Lane other = lane("other", 1);
        refusal(() -> lane.read(work, "first", this::hang));
        refusal(() -> lane.read(work, "second", this::hang));

        String answer = other.read(work, "look", () -> "at once");

        assertThat(answer).isEqualTo("at once");
    }

    @Test
    void the_last_call_ends_before_the_lane_is_closed() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        refusal(() -> lane.read(work, "look", this::hang));

        lane.close(closed::countDown);
        boolean early = closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        storageAnswers.countDown();

        assertThat(early).isFalse();
        closed.await();
    }

    @Test
    @Timeout(60)
    void calls_that_end_while_others_come_are_not_stuck() throws Exception {
        var narrow = new Lane(new ConnectionName("nas"), 1, Duration.ofMinutes(1), platformThreads(), clock, telemetry);
        List<FutureTask<Integer>> callers = new ArrayList<>();
        for (int caller = 0; caller < 2; caller++) {
            callers.add(inBackground(() -> {
                int answers = 0;
                for (int i = 0; i < 20_000; i++) {
                    answers += narrow.read(work, "look", () -> 1);
                }
                return answers;
            }));
        }

        for (FutureTask<Integer> caller : callers) {
            assertThat(get(caller)).isEqualTo(20_000);
        }
    }

    private String hang() {
        try {
            storageAnswers.await();
            return "answer";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Lane lane(String name, int concurrency) {
        return new Lane(new ConnectionName(name), concurrency, PATIENCE, platformThreads(), clock, telemetry);
    }

    private static ThreadFactory platformThreads() {
        return Thread.ofPlatform().daemon().factory();
    }

    private static <T> FutureTask<T> inBackground(Supplier<T> call) {
        var task = new FutureTask<>(call::get);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static <T> T get(FutureTask<T> task) {
        try {
            return task.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
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
