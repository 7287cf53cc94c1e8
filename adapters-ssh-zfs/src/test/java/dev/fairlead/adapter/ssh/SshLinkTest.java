package dev.fairlead.adapter.ssh;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.testkit.fake.TestWork;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SshLinkTest {
    private static SshLink link(SshLink.Opener opener, java.util.concurrent.ThreadFactory threads) {
        return new SshLink("nas", opener, SshFixture.QUICK, new MonotonicClock(), threads);
    }

    /** Memory runs out, a class is missing: whoever waits for the session is told, and the next tries again. */
    @Test
    @Timeout(20)
    void an_error_while_it_is_opened_is_an_end_of_the_attempt() {
        SshLink link = link(
                () -> {
                    throw new NoClassDefFoundError("org/example/Cipher");
                },
                SshFixture.THREADS);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> link.session(TestWork.patient().left(Duration.ofSeconds(60))))
                    .hasMessageContaining("nas is not available")
                    .hasMessageContaining("org/example/Cipher");
        }
    }

    @Test
    @Timeout(20)
    void where_no_thread_can_be_had_the_next_caller_tries_again() {
        SshLink link = link(
                () -> {
                    throw new AssertionError("no thread, no attempt");
                },
                _ -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> link.session(TestWork.patient().left(Duration.ofSeconds(60))))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void an_attempt_that_took_too_long_names_its_setting() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            SshSettings settings = SshFixture.with(
                    SshFixture.settings(mute.getLocalPort()),
                    new SshSettings.Timing(Duration.ofMillis(150), Duration.ZERO, 3));
            try (CommandRunner runner = SshFixture.runner(settings)) {
                assertThatThrownBy(() -> runner.run(command("/bin/true"), TestWork.patient()))
                        .hasMessageContaining("it let nobody in within 150 ms (readyTimeout of sshConnection)");
            }
        }
    }
}
