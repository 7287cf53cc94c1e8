package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Calls at the same time, from threads of one process and from other processes, do not spoil each other. */
public interface VolumeConcurrencyContract extends StoreSubject {
    @Test
    default void work_on_different_volumes_goes_on_at_once() {
        try (VolumeStore store = store()) {
            List<Runnable> lives = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "pvc-" + i;
                lives.add(() -> live(store, name));
            }
            lives.add(() -> {
                for (int i = 0; i < 20; i++) {
                    volumes(store);
                }
            });

            Concurrently.run(lives);

            assertThat(volumes(store)).hasSize(4).allSatisfy(volume -> {
                assertThat(volume.notes()).containsEntry("context/born", "with it");
                String name = volume.name().orElseThrow().value();
                assertThat(volume.notes()).containsEntry("noted", name);
                assertThat(read(volume, "data")).contains(name);
            });
        }
    }

    private void live(VolumeStore store, String name) {
        StoredVolume made = make(store, TestVolumes.empty(name));
        write(made, "data", name);
        store.note(made.id(), Map.of("noted", name), TestWork.patient());
        store.expand(made.id(), TestVolumes.atLeast(VolumeLifeContract.DOUBLE), TestWork.patient());
        assertThat(store.find(made.id(), TestWork.patient())).isPresent();
        if (name.hashCode() % 2 == 0) {
            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
        }
    }

    @RepeatedTest(5)
    default void two_instances_that_make_the_same_volume_make_one() {
        CreateRequest request = TestVolumes.empty("pvc-a");
        try (VolumeStore one = store();
                VolumeStore two = store()) {
            List<@Nullable Throwable> outcomes =
                    Concurrently.outcomes(List.of(() -> make(one, request), () -> make(two, request)));

            assertThat(outcomes).allSatisfy(VolumeConcurrencyContract::isNothingOrAFailure);
            StoredVolume made = make(one, request);
            assertThat(volumes(two)).containsExactly(made);
        }
    }

    @RepeatedTest(5)
    default void making_and_deleting_at_once_ends_with_a_whole_volume_or_none() {
        CreateRequest request = TestVolumes.empty("pvc-a");
        try (VolumeStore one = store();
                VolumeStore two = store()) {
            List<@Nullable Throwable> outcomes = Concurrently.outcomes(List.of(
                    () -> make(one, request),
                    () -> two.delete(birth(two, request).id(), OnDependents.REFUSE, TestWork.patient())));

            assertThat(outcomes).allSatisfy(VolumeConcurrencyContract::isNothingOrAFailure);
            StoredVolume made = make(one, request);
            assertThat(made.notes()).containsEntry("context/born", "with it");
            write(made, "data", "still works");
            assertThat(read(made, "data")).contains("still works");
        }
    }

    private static void isNothingOrAFailure(@Nullable Throwable thrown) {
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(StorageException.class);
        }
    }
}
