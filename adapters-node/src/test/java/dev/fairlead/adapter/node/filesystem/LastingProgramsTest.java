package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that checks a file system for longer than the calls wait that ask for it. */
class LastingProgramsTest {
    private static final Path DEVICE = Path.of("/dev/null");
    private static final int LEFT = 4;

    private final AtomicReference<CountDownLatch> again = new AtomicReference<>(new CountDownLatch(1));
    private final List<Command> begun = new CopyOnWriteArrayList<>();
    private volatile int exitCode;
    private final SteppingClock clock = SteppingClock.standing();

    @TempDir
    private Path folder;

    private final LinuxFilesystems filesystems = new LinuxFilesystems(
            MountSandbox.threads(),
            new CommandRunner() {
                @Override
                public Ended run(Command command, Work work) {
                    work.effect(command.effect(), () -> waited(command));
                    return Ended.with(exitCode, "", "4 files are damaged");
                }

                @Override
                public void close() {}
            },
            FilesystemSettings.NONE,
            clock);

    private void waited(Command command) {
        begun.add(command);
        try {
            assertThat(again.get().await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void let_it_go() {
        again.get().countDown();
    }

    private void check(Duration patience) {
        filesystems.check(
                DEVICE,
                "ext4",
                Optional.empty(),
                Born.UNTOLD,
                TestWork.patient().left(patience));
    }

    private void outlasts() {
        assertThatThrownBy(() -> check(Duration.ofMillis(50)))
                .extracting("failure")
                .isInstanceOf(Failure.OperationPending.class);
    }

    @Test
    void it_is_neither_killed_nor_begun_anew_while_calls_ask_for_it() {
        outlasts();
        outlasts();

        assertThat(begun)
                .singleElement()
                .satisfies(command -> assertThat(command.deadline()).isGreaterThanOrEqualTo(Duration.ofHours(12)));
        again.get().countDown();
        ended(Duration.ofSeconds(30));
        assertThat(begun)
                .as("a file system that was checked is checked quickly")
                .hasSize(2);
    }

    @Test
    void what_it_found_meanwhile_is_told_to_the_next_call_and_to_that_alone() {
        exitCode = LEFT;
        outlasts();
        again.get().countDown();

        assertThatThrownBy(() -> ended(Duration.ofSeconds(30)))
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(begun).hasSize(1);
        exitCode = 0;
        check(Duration.ofSeconds(30));
        assertThat(begun).hasSize(2);
    }

    @Test
    void a_link_to_the_device_is_seen_to_be_at_work_too() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("zvol"), DEVICE);
        outlasts();

        assertThatThrownBy(() -> filesystems.identity(link, TestWork.patient()))
                .extracting("failure")
                .isInstanceOf(Failure.OperationPending.class);
    }

    @Test
    void what_it_found_is_not_believed_later_nor_after_the_device_was_given_back() {
        exitCode = LEFT;
        outlasts();
        leftBehind();
        exitCode = 0;
        clock.advance(DevicePrograms.KEPT.plusMillis(1));
        check(Duration.ofSeconds(30));
        assertThat(begun).hasSize(2);

        exitCode = LEFT;
        again.set(new CountDownLatch(1));
        outlasts();
        leftBehind();
        exitCode = 0;
        filesystems.forgetFailures(DEVICE);
        check(Duration.ofSeconds(30));
        assertThat(begun).hasSize(4);
    }

    /** Lets the program end while no call waits for it. */
    private void leftBehind() {
        again.get().countDown();
        while (isAtWork()) {
            Thread.onSpinWait();
        }
    }

    private boolean isAtWork() {
        try {
            var _ = filesystems.identity(DEVICE, TestWork.patient());
            return false;
        } catch (StorageException e) {
            return e.failure() instanceof Failure.OperationPending;
        }
    }

    /** Checks until the program that was left behind has ended. */
    private void ended(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean pending = true;
        while (pending) {
            try {
                check(Duration.ofSeconds(5));
                pending = false;
            } catch (StorageException e) {
                if (!(e.failure() instanceof Failure.OperationPending) || System.nanoTime() > end) {
                    throw e;
                }
            }
        }
    }
}
