package dev.fairlead.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TormentPlanTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 77})
    void the_same_seed_draws_the_same_torments(long seed) {
        assertThat(drawn(seed, 40)).isEqualTo(drawn(seed, 40));
    }

    @Test
    void another_seed_draws_others() {
        assertThat(drawn(1, 40)).isNotEqualTo(drawn(2, 40));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void each_kind_comes_before_any_comes_again(long seed) {
        assertThat(drawn(seed, TormentKind.values().length))
                .extracting(TormentPlan.Next::kind)
                .containsExactlyInAnyOrder(TormentKind.values());
    }

    @Test
    void they_come_one_to_two_minutes_after_each_other_on_either_node() {
        List<TormentPlan.Next> drawn = drawn(1, 200);

        assertThat(drawn)
                .extracting(TormentPlan.Next::seconds)
                .allSatisfy(it -> assertThat(it).isBetween(60, 120));
        assertThat(drawn).extracting(TormentPlan.Next::node).containsOnly("own-1", "own-2");
    }

    private static List<TormentPlan.Next> drawn(long seed, int count) {
        TormentPlan plan = new TormentPlan(seed);
        return Stream.generate(plan::next).limit(count).toList();
    }
}
