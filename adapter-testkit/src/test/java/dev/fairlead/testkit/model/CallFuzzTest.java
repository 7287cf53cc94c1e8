package dev.fairlead.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallFuzzTest {
    private static final int STEPS = 300;

    private final List<MemoryCalls> opened = new ArrayList<>();

    private CallFuzz fuzz(Function<InMemoryStorage, VolumeStore> opening, boolean held) {
        return new CallFuzz(
                () -> {
                    closeAll();
                    InMemoryStorage storage = InMemoryStorage.named("memory");
                    MemoryCalls calls = MemoryCalls.over(held ? storage.dependentSnapshots() : storage, opening);
                    opened.add(calls);
                    return calls;
                },
                held);
    }

    @AfterEach
    void closeAll() {
        opened.forEach(MemoryCalls::close);
        opened.clear();
    }

    /** As many as {@code -Dfairlead.fuzz.seeds} says. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("fairlead.fuzz.seeds", 10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_use_cases_agree_with_the_model(long seed) {
        fuzz(InMemoryVolumeStore::new, false).play(seed, STEPS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_use_cases_agree_with_the_model_where_snapshots_hold_volumes(long seed) {
        fuzz(InMemoryVolumeStore::new, true).play(seed, STEPS);
    }

    @Test
    void the_same_seed_gives_the_same_steps() {
        assertThat(RandomSteps.of(7, 500)).isEqualTo(RandomSteps.of(7, 500)).isNotEqualTo(RandomSteps.of(8, 500));
    }

    @Test
    void a_disagreement_is_told_with_its_seed_and_the_few_steps_that_it_takes() {
        CallFuzz fuzz = fuzz(EmptyClones::new, false);

        assertThatThrownBy(() -> fuzz.play(1, STEPS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 1 fails")
                .hasMessageContaining("content of v:memory/")
                .message()
                .satisfies(text -> assertThat(text.lines().filter(line -> line.startsWith("  ")))
                        .hasSizeBetween(3, 6));
    }

    /** Loses the content of clones and restored volumes. */
    private static final class EmptyClones extends FaultyStore {
        EmptyClones(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Creation create(Birth birth, Work work) {
            Creation made = sound.create(birth, work);
            if (made.fresh()) {
                storage.write(made.volume().id(), "data", "");
            }
            return made;
        }
    }
}
