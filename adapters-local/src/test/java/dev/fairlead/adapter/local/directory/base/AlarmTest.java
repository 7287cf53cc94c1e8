package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.fake.SteppingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AlarmTest {
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadFactory virtual = task -> {
        Thread thread = Thread.ofVirtual().unstarted(task);
        threads.add(thread);
        return thread;
    };

    @Test
    void it_rings_once_the_clock_says_so() throws Exception {
        SteppingClock clock = SteppingClock.by(Duration.ofMillis(40));
        CompletableFuture<Boolean> rung = new CompletableFuture<>();

        Alarm.Call _ = Alarm.of(clock, virtual)
                .at(
                        SteppingClock.START.plusMillis(60),
                        () -> rung.complete(!clock.instant().isBefore(SteppingClock.START.plusMillis(60))));

        assertThat(rung.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_is_called_off_does_not_begin_and_its_thread_ends() throws Exception {
        List<String> begun = new ArrayList<>();
        Alarm.Call call = Alarm.of(SteppingClock.standing(), virtual)
                .at(SteppingClock.START.plus(Duration.ofHours(1)), () -> begun.add("rung"));

        call.off();

        threads.getFirst().join();
        assertThat(begun).isEmpty();
    }
}
