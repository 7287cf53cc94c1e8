package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpaceQuestionTest {
    private static final Path PLACE = Path.of("/mnt");
    private final AtomicInteger asked = new AtomicInteger();

    private SpaceQuestion refusedTwice(int errno, Duration most) {
        return new SpaceQuestion(
                _ -> {
                    if (asked.incrementAndGet() < 3) {
                        throw new LinuxException("statvfs", errno);
                    }
                    return new MountCalls.Space(4096, 10, 5, 5, 3, 2);
                },
                most);
    }

    @Test
    void a_kernel_that_says_again_is_asked_again() throws Exception {
        SpaceQuestion question = refusedTwice(Errno.EAGAIN, Duration.ofMinutes(1));

        assertThat(question.ask(PLACE).blocks()).isEqualTo(10);
    }

    @Test
    void it_is_not_asked_for_ever() {
        SpaceQuestion question = refusedTwice(Errno.EAGAIN, Duration.ZERO);

        assertThatThrownBy(() -> question.ask(PLACE)).hasMessageContaining("EAGAIN");
        assertThat(asked).hasValue(1);
    }

    @Test
    void another_refusal_stands() {
        SpaceQuestion question = refusedTwice(Errno.EIO, Duration.ofMinutes(1));

        assertThatThrownBy(() -> question.ask(PLACE)).hasMessageContaining("EIO");
        assertThat(asked).hasValue(1);
    }
}
