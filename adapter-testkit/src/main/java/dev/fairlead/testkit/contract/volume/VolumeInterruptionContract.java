package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A call that was cut between two effects left a state in which things are whole or absent, and a retry succeeds. */
public interface VolumeInterruptionContract extends StoreSubject {
    @Test
    default void a_cancelled_call_has_no_effect() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            Work gone = TestWork.patient().cancelledWhen(() -> true);

            Failing.with(Failure.Cancelled.class, () -> store.create(birth(store, TestVolumes.empty("pvc-b")), gone));
            Failing.with(Failure.Cancelled.class, () -> store.delete(made.id(), OnDependents.REFUSE, gone));
            Failing.with(Failure.Cancelled.class, () -> store.note(made.id(), Map.of("a", "b"), gone));

            assertThat(volumes(store)).containsExactly(made);
        }
    }

    @Test
    default void creation_that_was_cut_anywhere_is_whole_or_absent_and_a_retry_succeeds() {
        CreateRequest request = TestVolumes.empty("pvc-a");

        int cuts = cutEverywhere(
                work -> {
                    try (VolumeStore store = store()) {
                        store.create(birth(store, request), work);
                    }
                },
                () -> {
                    try (VolumeStore store = store()) {
                        var found = store.find(birth(store, request).id(), TestWork.patient());
                        assertThat(volumes(store)).hasSize(found.isPresent() ? 1 : 0);
                        StoredVolume made = make(store, request);
                        assertThat(found.orElse(made)).isEqualTo(made);
                        assertThat(made.notes()).containsEntry("context/born", "with it");
                        store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
                    }
                });

        assertThat(cuts).isPositive();
    }

    @Test
    default void copying_that_was_cut_anywhere_is_whole_or_absent_and_a_retry_succeeds() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            write(source, "data", "precious");
            CreateRequest request = TestVolumes.fromVolume("pvc-clone", source.id());
            if (Failing.unlessUnsupported(() -> make(store, request)).isEmpty()) {
                assertThat(volumes(store)).containsExactly(source);
                return;
            }
            store.delete(birth(store, request).id(), OnDependents.REFUSE, TestWork.patient());

            int cuts = cutEverywhere(work -> store.create(birth(store, request), work), () -> {
                store.find(birth(store, request).id(), TestWork.patient())
                        .ifPresent(found -> assertThat(read(found, "data")).contains("precious"));
                StoredVolume clone = make(store, request);
                assertThat(read(clone, "data")).contains("precious");
                store.delete(clone.id(), OnDependents.REFUSE, TestWork.patient());
            });

            assertThat(cuts).isPositive();
            assertThat(volumes(store)).containsExactly(source);
        }
    }

    @Test
    default void deletion_that_was_cut_anywhere_leaves_all_or_nothing_and_a_retry_succeeds() {
        CreateRequest request = TestVolumes.empty("pvc-a");
        try (VolumeStore store = store()) {
            StoredVolume first = make(store, request);
            write(first, "data", "precious");

            int cuts = cutEverywhere(work -> store.delete(first.id(), OnDependents.REFUSE, work), () -> {
                store.find(first.id(), TestWork.patient())
                        .ifPresent(found -> assertThat(read(found, "data")).contains("precious"));
                store.delete(first.id(), OnDependents.REFUSE, TestWork.patient());
                assertThat(volumes(store)).isEmpty();
                write(make(store, request), "data", "precious");
            });

            assertThat(cuts).isPositive();
        }
    }

    @Test
    default void growth_and_notes_that_were_cut_anywhere_are_done_by_a_retry() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            write(made, "data", "precious");

            for (int effects = 0; effects < 20; effects++) {
                Work cut = TestWork.patient().cancelledAfter(effects);
                Map<String, String> note = Map.of("round", Integer.toString(effects));
                Failing.works(() -> store.expand(made.id(), TestVolumes.atLeast(VolumeLifeContract.DOUBLE), cut));
                Failing.works(() -> store.note(made.id(), note, cut));
                StoredVolume grown =
                        store.expand(made.id(), TestVolumes.atLeast(VolumeLifeContract.DOUBLE), TestWork.patient());
                store.note(made.id(), note, TestWork.patient());
                assertThat(store.find(made.id(), TestWork.patient())
                                .orElseThrow()
                                .notes())
                        .containsAllEntriesOf(made.notes())
                        .containsAllEntriesOf(note);
                assertThat(read(grown, "data")).contains("precious");
            }
        }
    }

    /**
     * Cuts the call after 0, 1, 2… effects until it is no longer cut, heals after each, and returns the number of cuts.
     */
    private static int cutEverywhere(Consumer<Work> call, Runnable heal) {
        for (int effects = 0; ; effects++) {
            boolean cut = false;
            try {
                call.accept(TestWork.patient().cancelledAfter(effects));
            } catch (StorageException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Cancelled.class);
                cut = true;
            }
            heal.run();
            if (!cut) {
                return effects;
            }
            assertThat(effects).as("effects of one call").isLessThan(1000);
        }
    }
}
