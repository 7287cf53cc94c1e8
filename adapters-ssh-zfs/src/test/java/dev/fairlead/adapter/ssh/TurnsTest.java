package dev.fairlead.adapter.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns(1);

    @Test
    void a_turn_that_is_free_is_had_by_work_that_goes_on_without_its_caller() throws Exception {
        TestWork late = TestWork.patient().left(Duration.ofSeconds(-1));

        assertThat(turns.take(late)).isTrue();
        assertThat(turns.take(late)).isFalse();
        turns.release();

        assertThat(turns.take(late)).isTrue();
    }
}
