package dev.fairlead.testkit.contract.host;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.Command.Output;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A program whose end was not seen has not succeeded, and no call waits forever. */
public interface CommandEndsContract extends CommandRunnerSubject {
    @Test
    default void a_program_that_takes_too_long_is_let_go_of() {
        long began = System.nanoTime();

        Failing.with(
                Failure.TimedOut.class, () -> run(command("/bin/sleep", "60").within(Duration.ofMillis(300))));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    default void one_that_talks_without_end_is_let_go_of_as_well() {
        Failing.with(
                Failure.TimedOut.class,
                () -> run(shell("while :; do echo x >&2; done").within(Duration.ofMillis(300))));
    }

    @Test
    default void after_one_that_took_too_long_others_run() {
        for (int i = 0; i < 12; i++) {
            Failing.orEmpty(() -> run(command("/bin/sleep", "60").within(Duration.ofMillis(20))));
        }

        assertThat(run(command("/bin/true")).succeeded()).isTrue();
    }

    @Test
    default void nothing_is_started_for_a_caller_that_has_gone() {
        TestWork gone = TestWork.patient().cancelledWhen(() -> true);

        Failing.with(Failure.Cancelled.class, () -> runner().run(command("/bin/true"), gone));

        assertThat(gone.effects()).isEmpty();
    }

    @Test
    default void closing_lets_go_of_what_runs_and_refuses_what_comes() throws InterruptedException {
        AtomicReference<@Nullable StorageException> seen = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                run(shell("echo begun; exec sleep 60").writing(new Output.Bytes(new Signal(begun))));
            } catch (StorageException e) {
                seen.set(e);
            }
        });
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

        runner().close();

        assertThat(running.join(Duration.ofSeconds(20))).isTrue();
        assertThat(seen.get())
                .isNotNull()
                .extracting(StorageException::failure)
                .isInstanceOf(Failure.OutcomeUnknown.class);
        Failing.with(Failure.BackendUnavailable.class, () -> run(command("/bin/true")));
    }

    /** Lets the process end as if the command's session had been cut: a repeated call finds out what became of it. */
    @Test
    default void a_copy_does_not_hold_up_the_end_of_the_process() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<@Nullable StorageException> seen = new AtomicReference<>();
        TestWork ending = TestWork.patient().endingWhen(() -> begun.getCount() == 0);
        Command copy = shell("echo begun; exec sleep 60")
                .writing(new Output.Bytes(new Signal(begun)))
                .within(Duration.ofDays(2));

        Thread copying = Thread.ofVirtual().start(() -> {
            try {
                runner().run(copy, ending);
            } catch (StorageException e) {
                seen.set(e);
            }
        });

        assertThat(copying.join(Duration.ofSeconds(30))).isTrue();
        assertThat(seen.get())
                .isNotNull()
                .hasMessageContaining("this process ends")
                .extracting(StorageException::failure)
                .isInstanceOf(Failure.OutcomeUnknown.class);
        assertThat(run(command("/bin/true")).succeeded()).isTrue();
    }

    @Test
    default void what_is_no_copy_is_waited_for_by_a_process_that_ends() {
        TestWork ending = TestWork.patient().endingWhen(() -> true);

        assertThat(runner().run(shell("sleep 0.7"), ending).succeeded()).isTrue();
    }

    /** Tells that something has been written to it. */
    final class Signal extends OutputStream {
        private final CountDownLatch latch;

        Signal(CountDownLatch latch) {
            this.latch = latch;
        }

        @Override
        public void write(int b) {
            latch.countDown();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            latch.countDown();
        }
    }

    @Test
    default void an_interrupted_wait_is_no_success() throws InterruptedException {
        AtomicReference<@Nullable StorageException> seen = new AtomicReference<>();
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                run(command("/bin/sleep", "60"));
            } catch (StorageException e) {
                seen.set(e);
            }
        });
        Thread.sleep(200);

        running.interrupt();

        assertThat(running.join(Duration.ofSeconds(20))).isTrue();
        assertThat(seen.get())
                .isNotNull()
                .extracting(StorageException::failure)
                .isInstanceOfAny(List.of(Failure.OutcomeUnknown.class, Failure.Cancelled.class)
                        .toArray(Class<?>[]::new));
    }
}
