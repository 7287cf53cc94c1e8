package dev.fairlead.adapter.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TargetTurnsTest {
    private final TargetTurns turn = new TargetTurns(new ConnectionName("nas"), "iSCSI targets");

    @Test
    void one_is_at_work_at_a_time() {
        var atWork = new AtomicInteger();
        var most = new AtomicInteger();
        Concurrently.run(Collections.nCopies(
                20,
                () -> turn.run(TestWork.patient(), () -> {
                    most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(100_000); // time for the others to come in, where they can
                    atWork.decrementAndGet();
                })));

        assertThat(most).hasValue(1);
    }

    @Test
    void who_waits_gives_up_when_his_caller_does() {
        turn.run(
                TestWork.patient(),
                () -> Concurrently.run(List.of(() -> Failing.with(
                        Failure.BackendUnavailable.class,
                        () -> turn.run(TestWork.patient().left(Duration.ofMillis(5)), () -> {
                            throw new AssertionError("was let in");
                        })))));
    }

    @Test
    void a_failure_gives_the_turn_back_and_a_free_one_costs_no_time() {
        assertThatThrownBy(() -> turn.run(TestWork.patient(), () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        var done = new AtomicInteger();

        Concurrently.run(List.of(() -> turn.run(TestWork.patient().left(Duration.ZERO), done::incrementAndGet)));

        assertThat(done).hasValue(1);
    }
}
