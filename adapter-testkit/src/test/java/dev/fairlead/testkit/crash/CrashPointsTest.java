package dev.fairlead.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrashPointsTest {
    @Test
    void sound_storage_survives_every_crash_point() {
        CrashPoints<VolumeStore> harness = new CrashPoints<>(MemoryCrashFixture.sound());

        MemoryCrashFixture.scenarios().forEach(harness::survive);

        assertThat(harness.counts()).hasSize(6).allSatisfy(count -> {
            assertThat(count.effects()).isPositive();
            assertThat(count.runs()).isEqualTo(5 * count.effects());
        });
    }

    @Test
    void a_scenario_without_effects_fails() {
        CrashPoints<VolumeStore> harness = new CrashPoints<>(MemoryCrashFixture.sound());

        assertThatThrownBy(() -> harness.survive(CrashScenario.changing("nothing", _ -> {}, (_, _) -> "done")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("effects of nothing");
    }

    @Test
    void a_retry_that_answers_something_else_is_found() {
        AtomicInteger calls = new AtomicInteger();
        CrashScenario<VolumeStore> forgetful = CrashScenario.changing("forgetful", _ -> {}, (store, work) -> {
            MemoryCrashFixture.CREATE.call().run(store, work);
            return calls.incrementAndGet();
        });

        assertThatThrownBy(() -> new CrashPoints<>(MemoryCrashFixture.sound()).survive(forgetful))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("answer of a repeated forgetful");
    }

    @Test
    void a_leftover_of_a_dead_process_is_found() {
        MemoryCrashFixture fixture = new MemoryCrashFixture(UntidyStore::new);

        assertThatThrownBy(() -> new CrashPoints<>(fixture).survive(MemoryCrashFixture.CREATE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("DEATH_BEFORE effect 2 of 4")
                .hasMessageContaining("untidy");
    }

    @Test
    void a_final_failure_after_an_effect_is_found() {
        MemoryCrashFixture fixture = new MemoryCrashFixture(FinalStore::new);
        CrashScenario<VolumeStore> create =
                CrashScenario.making("create", MemoryCrashFixture.CREATE.given(), MemoryCrashFixture.CREATE.call());

        assertThatThrownBy(() -> new CrashPoints<>(fixture).survive(create))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a final failure leaves nothing");
    }
}
