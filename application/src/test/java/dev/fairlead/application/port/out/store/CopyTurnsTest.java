package dev.fairlead.application.port.out.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyTurnsTest {
    private final CopyTurns turns = turns(ConnectionScope.USUAL_CONCURRENCY);

    private static CopyTurns turns(int concurrency) {
        return new CopyTurns(new ConnectionScope(
                new ConnectionName("node"), "local-hostpath", Optional.empty(), "test", true, concurrency));
    }

    /** With at most half of the threads in transfers, one that shuts a node out still has its thread. */
    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "4, 1", "6, 2", "9, 3", "10, 4", "256, 4"})
    void copies_leave_threads_to_other_calls_however_few_there_are(int concurrency, int copies) {
        assertThat(begun(turns(concurrency), 0)).isEqualTo(copies);
    }

    /** Returns how many copies of different volumes run at once. */
    private static int begun(CopyTurns turns, int running) {
        try {
            return turns.taking("volume-" + running, "copy-" + running, () -> begun(turns, running + 1));
        } catch (StorageException refused) {
            return running;
        }
    }

    @Test
    void one_volume_has_two_turns_and_leaves_the_others_to_others() {
        String answer = turns.taking(
                "a",
                "a-1",
                () -> turns.taking("a", "a-2", () -> {
                    assertThatThrownBy(() -> turns.taking("a", "a-3", () -> "too many"))
                            .hasMessageContaining("2 copies are under way on it of 'a' (a-1, a-2), and a-3")
                            .extracting("failure")
                            .isInstanceOf(Failure.BackendUnavailable.class);
                    return turns.taking(
                            "b",
                            "b-1",
                            () -> turns.taking("c", "c-1", () -> {
                                assertThatThrownBy(() -> turns.taking("d", "d-1", () -> "too many"))
                                        .hasMessageContaining("4 copies are under way on it (a-1, a-2, b-1, c-1)");
                                return "others";
                            }));
                }));

        assertThat(answer).isEqualTo("others");
    }

    @Test
    void a_copy_that_fails_gives_its_turn_back() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> turns.taking("a", "a-1", () -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }

        assertThat(turns.<String, RuntimeException>taking("a", "a-1", () -> "done"))
                .isEqualTo("done");
    }
}
