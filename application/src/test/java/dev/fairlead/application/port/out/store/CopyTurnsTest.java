package dev.fairlead.application.port.out.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import org.junit.jupiter.api.Test;

class CopyTurnsTest {
    private final CopyTurns turns = new CopyTurns(new ConnectionName("node"));

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
