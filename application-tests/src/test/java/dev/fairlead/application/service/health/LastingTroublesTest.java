package dev.fairlead.application.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LastingTroublesTest {
    private final LastingTroubles<String, String, String> lasting =
            new LastingTroubles<>(Function.identity(), Set.of("full"));

    private List<String> look(boolean told, String... found) {
        return lasting.after("pvc-1", List.of(found), _ -> told);
    }

    @Test
    void what_is_wrong_is_over_with_the_first_look_that_could_tell() {
        assertThat(look(true, "errors")).containsExactly("errors");
        assertThat(look(false, "silent")).containsExactly("silent", "errors");
        assertThat(look(true)).isEmpty();
        assertThat(look(false)).isEmpty();
    }

    @Test
    void only_looks_that_could_tell_count_to_the_end_of_what_comes_and_goes() {
        look(true, "full");
        look(true);
        for (int i = 0; i < LastingTroubles.GOOD_LOOKS; i++) {
            assertThat(look(false)).containsExactly("full");
        }
        assertThat(look(true)).containsExactly("full");

        assertThat(look(true)).isEmpty();
    }

    @Test
    void subjects_are_apart_and_one_that_is_not_looked_at_is_forgotten() {
        look(true, "errors");
        assertThat(lasting.after("pvc-2", List.of(), _ -> false)).isEmpty();

        lasting.keep(Set.of("pvc-2"));

        assertThat(look(false)).isEmpty();
    }
}
