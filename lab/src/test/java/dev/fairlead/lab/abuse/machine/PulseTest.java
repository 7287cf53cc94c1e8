package dev.fairlead.lab.abuse.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PulseTest {
    private static final long STOPPED = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long SEEN = TimeUnit.MILLISECONDS.toNanos(200);

    private final Pulse pulse;

    PulseTest() throws IOException {
        pulse = new Pulse();
    }

    @AfterEach
    void close() {
        pulse.close();
    }

    /**
     * Sends a signal to the process that answers: one that is stopped is as one for which the machine has no processor.
     */
    private static void signal(String name) throws IOException, InterruptedException {
        ProcessHandle echo = ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/cat"))
                .findFirst()
                .orElseThrow();
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(echo.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void a_stall_is_counted_while_it_lasts_and_afterwards() throws Exception {
        long begin = System.nanoTime();
        signal("STOP");
        LockSupport.parkNanos(STOPPED);
        long lasting = pulse.stalled(begin, System.nanoTime());
        signal("CONT");
        LockSupport.parkNanos(STOPPED);
        long over = pulse.stalled(begin, System.nanoTime());

        assertThat(lasting).isGreaterThan(SEEN);
        assertThat(over).isGreaterThan(SEEN);
    }

    @Test
    void what_was_over_before_an_interval_is_no_part_of_it() throws Exception {
        signal("STOP");
        LockSupport.parkNanos(STOPPED);
        signal("CONT");
        LockSupport.parkNanos(STOPPED);
        long begin = System.nanoTime();
        long end = begin + TimeUnit.MILLISECONDS.toNanos(1);

        assertThat(pulse.stalled(begin, end)).isLessThan(SEEN);
    }
}
