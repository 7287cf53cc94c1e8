package dev.fairlead.adapter.local.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program that waits in the kernel, where it cannot be killed. */
class StuckProcessTest {
    private static final Command COMMAND =
            Command.of(new Effect("zfs-get", "tank/v"), List.of("zfs")).within(Duration.ofMillis(10));

    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);

    @AfterEach
    void let_it_go() {
        gone.countDown();
    }

    private void isTimedOut(Command command) {
        var process =
                new LocalProcess("test", command, Thread.ofPlatform().daemon().factory());
        Failing.with(Failure.TimedOut.class, () -> process.run(new Stuck(), TestWork.patient()));
    }

    @Test
    void it_is_killed_at_its_deadline_and_not_waited_for() {
        isTimedOut(COMMAND);

        assertThat(killed.getCount()).isZero();
    }

    @Test
    void it_is_waited_for_until_it_is_gone_if_its_thread_stands_for_it() throws Exception {
        FutureTask<Boolean> end = new FutureTask<>(() -> isTimedOut(COMMAND.awaitedUntilGone()), true);
        Thread call = Thread.ofPlatform().daemon().start(end);
        assertThat(killed.await(60, TimeUnit.SECONDS)).isTrue();
        Until.holds(() -> call.getState() == Thread.State.WAITING);

        gone.countDown();

        assertThat(end.get(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Is killed, and goes only once the kernel lets it. */
    private final class Stuck extends Process {
        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public Stream<ProcessHandle> descendants() {
            return Stream.empty();
        }

        @Override
        public int waitFor() throws InterruptedException {
            gone.await();
            return exitValue();
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
            return gone.await(timeout, unit);
        }

        @Override
        public int exitValue() {
            return 137;
        }

        @Override
        public void destroy() {
            killed.countDown();
        }
    }
}
