package dev.fairlead.adapter.freenas.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom before the targets of a box are changed. */
class HostTurnsTest {
    private final HostTurns turns = new HostTurns(Duration.ofMillis(50));
    private final CountDownLatch isMaking = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void end() {
        mayEnd.countDown();
    }

    private HostTurns.Turn turn(String connection) {
        return turns.of("nas", connection);
    }

    private void makeSlowly() throws InterruptedException {
        Thread.ofVirtual()
                .start(() -> turn("a").in(TestWork.patient(), () -> {
                    isMaking.countDown();
                    return await();
                }));
        isMaking.await();
    }

    private boolean await() {
        try {
            mayEnd.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_node_is_shut_out_though_another_volume_is_made_slowly() throws InterruptedException {
        makeSlowly();

        boolean shutOut = turn("b").fencing(TestWork.patient(), () -> true);

        assertThat(shutOut).isTrue();
    }

    @Test
    void what_is_made_waits_for_what_is_made_and_ends_with_its_callers_time() throws InterruptedException {
        makeSlowly();

        Failure failure =
                Failing.failure(() -> turn("b").in(TestWork.patient().left(Duration.ofMillis(50)), () -> true));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
    }

    @Test
    void changes_of_whom_exports_let_in_come_one_after_another() throws InterruptedException {
        Thread.ofVirtual()
                .start(() -> turn("a").fencing(TestWork.patient(), () -> {
                    isMaking.countDown();
                    return await();
                }));
        isMaking.await();

        Failure failure =
                Failing.failure(() -> turn("b").fencing(TestWork.patient().left(Duration.ofMillis(50)), () -> true));

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
    }
}
