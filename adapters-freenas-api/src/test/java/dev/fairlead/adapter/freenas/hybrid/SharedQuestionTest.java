package dev.fairlead.adapter.freenas.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of a caller who waits for the answer to another one's question. */
class SharedQuestionTest {
    private static final String BOX = "nas";
    private static final Work PATIENT = TestWork.patient();

    /** Work whose caller has gone, and which goes on all the same, as one that takes back what a creation left. */
    private static final Work LATE = TestWork.patient().left(Duration.ZERO).finishing();

    private final SharedQuestion<String> question = new SharedQuestion<>();
    private final CountDownLatch asking = new CountDownLatch(1);
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final AtomicInteger repetitions = new AtomicInteger();

    /** Asks, and ends as the answer says once another caller has waited for longer than the look at its own end. */
    private CompletableFuture<Optional<Failure>> first(Runnable answer, Work work) {
        return AtOnce.ask(() -> outcome(
                () -> {
                    asking.countDown();
                    try {
                        waiting.await();
                        TimeUnit.MILLISECONDS.sleep(500);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    answer.run();
                },
                work));
    }

    /** Asks the same, which is counted if it comes to that. */
    private Optional<Failure> second(Work work) throws InterruptedException {
        asking.await();
        waiting.countDown();
        return outcome(repetitions::incrementAndGet, work);
    }

    private static void stayUnanswered() {
        throw new StorageException(new Failure.BackendUnavailable(BOX, "it does not answer"));
    }

    private Optional<Failure> outcome(Runnable asked, Work work) {
        try {
            question.ask(BOX, asked, work);
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.failure());
        }
    }

    @Test
    void a_failure_is_that_of_all_who_wait() throws InterruptedException {
        CompletableFuture<Optional<Failure>> first = first(SharedQuestionTest::stayUnanswered, PATIENT);

        Optional<Failure> second = second(PATIENT);

        assertThat(second).isPresent().isEqualTo(first.join());
        assertThat(repetitions).hasValue(0);
    }

    /** Its call was given less time than that of the other, and a box that is slow has answered it nothing. */
    @Test
    void the_failure_of_a_caller_whose_time_was_up_is_its_own() throws InterruptedException {
        CompletableFuture<Optional<Failure>> first = first(SharedQuestionTest::stayUnanswered, LATE);

        assertThat(second(PATIENT)).isEmpty();

        assertThat(first.join()).containsInstanceOf(Failure.BackendUnavailable.class);
        assertThat(repetitions).hasValue(1);
    }

    @Test
    void work_that_is_finished_after_its_caller_has_gone_waits_too() throws InterruptedException {
        CompletableFuture<Optional<Failure>> first = first(() -> {}, PATIENT);

        assertThat(second(LATE)).isEmpty();

        assertThat(first.join()).isEmpty();
        assertThat(repetitions).hasValue(0);
    }
}
