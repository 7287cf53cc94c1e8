package dev.fairlead.adapter.local.pool.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.pool.kind.Occupancy.SpaceUse;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownSizesTest {
    private final KnownSizes known = new KnownSizes();

    private static SizeLook look(long recorded, long limit, long used) {
        return new SizeLook(recorded, Optional.of(new SpaceUse(limit, used, true, 0)));
    }

    private static void assertSums(Sums sums, long promised, long used) {
        assertThat(sums.promised()).as("promised").isEqualTo(promised);
        assertThat(sums.used()).as("used").isEqualTo(used);
    }

    @Test
    void sums_follow_what_is_found_and_forgotten() {
        known.put("a", look(10, 10, 3));
        known.put("b", look(20, 30, 5));
        known.put(Promises.ofSnapshot("a"), look(10, 0, 7));
        assertSums(known.sums(), 10 + 30 + 7, 3 + 5 + 7);

        known.put("a", look(40, 40, 0));
        known.put("a", look(40, 40, 0));
        assertSums(known.sums(), 40 + 30 + 7, 5 + 7);

        known.keepOnly(Set.of("a", Promises.ofSnapshot("a")));
        assertSums(known.sums(), 40 + 7, 7);
        known.remove(Promises.ofSnapshot("a"));
        known.remove("never there");
        assertSums(known.sums(), 40, 0);
        known.put("a", look(0, 0, 0));
        assertSums(known.sums(), 0, 0);
        assertThat(known.keys()).containsExactly("a");
    }

    @Test
    void sums_stay_as_they_were_told() {
        known.put("a", look(10, 10, 3));
        Sums first = known.sums();
        known.put("a", look(90, 90, 9));
        known.put("b", look(5, 5, 0));
        Sums second = known.sums();
        known.remove("b");

        assertSums(first, 10, 3);
        assertThat(first.promised("a")).isEqualTo(10);
        assertThat(first.promised("b")).isZero();
        assertThat(second.promised("b")).isEqualTo(5);

        first.remove("a");
        first.remove("a");
        assertSums(first, 0, 0);
        assertThat(first.promised("a")).isZero();
        assertSums(second, 95, 9);
        assertSums(known.sums(), 90, 9);
    }

    @Test
    void a_volume_lacks_its_limit_until_it_has_it_again_or_is_gone() {
        known.put("a", look(10, 0, 3));
        known.put("b", look(10, 0, 3));
        known.put("c", look(10, 10, 3));
        known.put(Promises.ofSnapshot("a"), look(10, 0, 3));
        assertThat(known.lacking()).containsExactly("a", "b");

        known.put("a", look(10, 10, 3));
        known.remove("b");
        assertThat(known.lacking()).isEmpty();
    }
}
