package dev.fairlead.adapter.freenas.late;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.late.LateCalls.ChangeTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a process remembers of its calls, and for how long: it runs for months, and things are many. */
class LateCallsTest {
    private static final ChangeTarget ONE = new ChangeTarget("nas", "copy to tank/one");
    private static final ChangeTarget OTHER = new ChangeTarget("nas", "copy to tank/other");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final LateCalls late = new LateCalls(now::get);

    private void pass(Duration time) {
        now.set(now.get().plus(time));
    }

    @Test
    void an_id_is_kept_for_the_next_call_about_the_same_thing_and_taken_once() {
        String id = late.begin(ONE);
        pass(LateCalls.LONGEST.multipliedBy(2));
        String _ = late.begin(OTHER);

        assertThat(late.taken(ONE)).contains(id);
        assertThat(late.taken(ONE)).isEmpty();
    }

    @Test
    void an_id_whose_note_is_away_is_kept_no_longer() {
        String id = late.begin(ONE);

        late.forget(ONE, id::equals);

        assertThat(late.taken(ONE)).isEmpty();
    }

    @Test
    void an_id_stays_if_another_note_is_away() {
        String former = late.begin(ONE);
        String id = late.begin(ONE);

        late.forget(ONE, former::equals);

        assertThat(late.taken(ONE)).contains(id);
    }

    @Test
    void an_id_that_nobody_takes_is_forgotten_after_a_day() {
        String _ = late.begin(ONE);
        pass(Duration.ofDays(1).plusSeconds(1));

        String _ = late.begin(OTHER);

        assertThat(late.taken(ONE)).isEmpty();
        assertThat(late.taken(OTHER)).isPresent();
    }
}
