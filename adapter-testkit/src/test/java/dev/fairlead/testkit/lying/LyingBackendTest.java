package dev.fairlead.testkit.lying;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.crash.MemoryCrashFixture;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LyingBackendTest {
    @Test
    void a_store_that_reads_back_sees_through_every_lie() {
        LyingBackend<VolumeStore> harness = new LyingBackend<>(MemoryCrashFixture.sound());

        MemoryCrashFixture.scenarios().forEach(harness::seeThrough);

        assertThat(harness.counts())
                .hasSize(6)
                .allSatisfy(count -> assertThat(count.runs()).isEqualTo(2 * count.effects()));
    }

    @Test
    void a_store_that_believes_what_it_is_told_is_found() {
        MemoryCrashFixture fixture = new MemoryCrashFixture(CredulousStore::new);

        assertThatThrownBy(() -> new LyingBackend<>(fixture).seeThrough(MemoryCrashFixture.DELETE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("OK means done: delete, LIE effect 1 of 1");
    }

    /** Deletes without looking whether it is so. */
    private static final class CredulousStore extends FaultyStore {
        CredulousStore(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public void delete(NativeId id, OnDependents policy, Work work) {
            work.effect(new Effect("remove", id.value()), () -> sound.delete(id, policy, TestWork.patient()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_corrupted_text_is_another_text(Corruption corruption) {
        String text = "{\"id\": 1,\n \"name\": \"tank\"}\n";

        assertThat(corruption.of(text)).isNotEqualTo(text);
        assertThat(corruption.of("")).isNotNull();
    }

    @Test
    void a_text_is_cut_everywhere() {
        assertThat(Corruption.cuts("abc")).containsExactly("", "a", "ab");
    }
}
