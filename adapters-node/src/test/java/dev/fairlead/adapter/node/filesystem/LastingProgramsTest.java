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
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program that checks a file system for longer than the calls wait that ask for it. */
class LastingProgramsTest {
    private static final Path DEVICE = Path.of("/dev/null");
    private static final int LEFT = 4;

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Command> begun = new CopyOnWriteArrayList<>();
    private volatile int exitCode;

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
            FilesystemSettings.NONE);

    private void waited(Command command) {
        begun.add(command);
        try {
            assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void let_it_go() {
        release.countDown();
    }

    private void check(Duration patience) {
        filesystems.check(DEVICE, "ext4", Optional.empty(), TestWork.patient().left(patience));
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
        release.countDown();
        ended(Duration.ofSeconds(30));
        assertThat(begun)
                .as("a file system that was checked is checked quickly")
                .hasSize(2);
    }

    @Test
    void what_it_found_meanwhile_is_told_to_the_next_call_and_to_that_alone() {
        exitCode = LEFT;
        outlasts();
        release.countDown();

        assertThatThrownBy(() -> ended(Duration.ofSeconds(30)))
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(begun).hasSize(1);
        exitCode = 0;
        check(Duration.ofSeconds(30));
        assertThat(begun).hasSize(2);
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
