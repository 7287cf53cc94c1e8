package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.export.Exporter.Plan;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that an {@code Exporter} promises. A test class that implements this interface inherits the tests; it
 * provides the exporter, volumes to export, and the number of exports.
 */
public interface ExporterContract {
    /**
     * Returns the exporter under test. Each call opens a new instance over the same storage host; the caller closes it.
     */
    Exporter exporter();

    /** Returns what a store would plan for a volume of this name; nothing is made. */
    Birth birth(String name);

    /** Makes the volume of this birth on the storage host, without the exporter, with these notes beside its own. */
    StoredVolume volume(Birth birth, Map<String, String> notes);

    /** Removes the volume from the storage host, without the exporter. */
    void remove(StoredVolume volume);

    /**
     * Returns how many exports there are on the storage host; always 0 for an exporter that leaves no trace of its own.
     */
    int exports();

    private StoredVolume volume(Exporter exporter, String name) {
        Birth birth = birth(name);
        return volume(birth, exporter.plan(birth).notes());
    }

    /** Checks that each test has unexported what it exported. */
    @AfterEach
    default void nothing_stays_exported() {
        assertThat(exports()).as("exports left behind").isZero();
    }

    @Test
    default void planning_exports_nothing() {
        try (Exporter exporter = exporter()) {
            Plan plan = exporter.plan(birth("pvc-a"));

            assertThat(exporter.plan(birth("pvc-a"))).isEqualTo(plan);
            assertThat(exports()).isZero();
        }
    }

    @Test
    default void an_export_gives_the_attachment_that_was_planned_in_a_form_that_travels() {
        try (Exporter exporter = exporter()) {
            Birth birth = birth("pvc-a");
            Plan plan = exporter.plan(birth);
            StoredVolume volume = volume(birth, plan.notes());

            Export export = exporter.export(volume, TestWork.patient());

            assertThat(plan.attachment().orElse(export.attachment())).isEqualTo(export.attachment());
            assertThat(AttachmentCodec.decode(AttachmentCodec.encode(export.attachment())))
                    .isEqualTo(export.attachment());
            withdraw(exporter, volume);
        }
    }

    @Test
    default void an_attachment_is_told_without_any_effect() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            TestWork before = TestWork.patient();
            exporter.attachment(volume, before);
            assertThat(exports()).isZero();
            Export export = exporter.export(volume, TestWork.patient());

            TestWork after = TestWork.patient();
            Optional<Attachment> told = exporter.attachment(volume, after);

            assertThat(told.orElse(export.attachment())).isEqualTo(export.attachment());
            assertThat(before.effects()).isEmpty();
            assertThat(after.effects()).isEmpty();
            withdraw(exporter, volume);
        }
    }

    @Test
    default void exporting_twice_exports_once() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            Export first = exporter.export(volume, TestWork.patient());
            int once = exports();

            Export second = exporter.export(volume, TestWork.patient());

            assertThat(second).isEqualTo(first);
            assertThat(exports()).isEqualTo(once);
            withdraw(exporter, volume);
        }
    }

    @Test
    default void an_export_is_found_after_a_restart() {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            Export first = exporter.export(volume, TestWork.patient());
            int once = exports();

            Export second = restarted.export(volume, TestWork.patient());

            assertThat(second).isEqualTo(first);
            assertThat(exports()).isEqualTo(once);
            withdraw(restarted, volume);
        }
    }

    @Test
    default void unexporting_twice_or_what_never_was_exported_is_no_error() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            exporter.export(volume, TestWork.patient());

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            exporter.unexport(
                    new NativeId("pvc-never"),
                    Optional.of(birth("pvc-never").medium()),
                    Optional.empty(),
                    TestWork.patient());

            assertThat(exports()).isZero();
            remove(volume);
        }
    }

    @Test
    default void an_export_goes_also_without_the_notes_it_gave() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            exporter.export(volume, TestWork.patient());
            StoredVolume bare = new StoredVolume(
                    volume.id(), volume.name(), volume.capacity(), volume.medium(), volume.content(), Map.of());

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(bare), TestWork.patient());

            assertThat(exports()).isZero();
            remove(volume);
        }
    }

    @Test
    default void an_export_that_outlived_its_volume_and_its_notes_goes_by_the_place() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            exporter.export(volume, TestWork.patient());
            remove(volume);

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());

            assertThat(exports()).isZero();
        }
    }

    @Test
    default void unexporting_one_volume_leaves_the_others() {
        try (Exporter exporter = exporter()) {
            StoredVolume one = volume(exporter, "pvc-1");
            StoredVolume ten = volume(exporter, "pvc-10");
            Export kept = exporter.export(ten, TestWork.patient());
            int before = exports();
            exporter.export(one, TestWork.patient());

            exporter.unexport(one.id(), Optional.of(one.medium()), Optional.of(one), TestWork.patient());

            assertThat(exports()).isEqualTo(before);
            assertThat(exporter.export(ten, TestWork.patient())).isEqualTo(kept);
            remove(one);
            withdraw(exporter, ten);
        }
    }

    @Test
    default void growth_is_told_without_harm() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            Export export = exporter.export(volume, TestWork.patient());

            exporter.expanded(volume, TestWork.patient());
            exporter.expanded(volume, TestWork.patient());

            assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(export);
            withdraw(exporter, volume);
        }
    }

    @Test
    default void hostile_ids_unexport_nothing() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            Export export = exporter.export(volume, TestWork.patient());
            int before = exports();

            HostileInput.ids()
                    .forEach(id -> exporter.unexport(id, Optional.empty(), Optional.empty(), TestWork.patient()));

            assertThat(exports()).isEqualTo(before);
            assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(export);
            withdraw(exporter, volume);
        }
    }

    @Test
    default void a_call_that_was_cut_anywhere_is_finished_by_a_retry() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            Export whole = exporter.export(volume, TestWork.patient());
            int once = exports();
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                TestWork work = TestWork.patient().cancelledAfter(effects);
                boolean gone = Failing.works(
                        () -> exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), work));
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
                assertThat(exports()).isZero();

                TestWork anew = TestWork.patient().cancelledAfter(effects);
                Optional<Export> made = Failing.orEmpty(() -> exporter.export(volume, anew));
                int left = exports();
                Export again = exporter.export(volume, TestWork.patient());
                assertThat(made.orElse(again)).isEqualTo(again);
                assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(again);
                assertMadeAnew(again, whole);
                assertThat(exports()).isEqualTo(once).isGreaterThanOrEqualTo(left);
                cut = !gone || made.isEmpty();
                assertThat(effects).isLessThan(1000);
            }
            withdraw(exporter, volume);
        }
    }

    /** Asserts that an export that was made anew is reached and noted as before; its number may be another one. */
    private static void assertMadeAnew(Export again, Export before) {
        assertThat(again.attachment()).isEqualTo(before.attachment());
        assertThat(again.notes()).containsOnlyKeys(before.notes().keySet());
    }

    @Test
    default void a_cancelled_call_exports_nothing() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = volume(exporter, "pvc-a");
            TestWork gone = TestWork.patient().cancelledWhen(() -> true);

            try {
                exporter.export(volume, gone);
            } catch (StorageException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Cancelled.class);
            }

            assertThat(exports()).isZero();
            remove(volume);
        }
    }

    @Test
    default void different_volumes_are_exported_at_once() {
        try (Exporter exporter = exporter()) {
            List<StoredVolume> volumes = List.of(
                    volume(exporter, "pvc-1"),
                    volume(exporter, "pvc-2"),
                    volume(exporter, "pvc-3"),
                    volume(exporter, "pvc-4"));

            List<@Nullable Throwable> outcomes = Concurrently.outcomes(volumes.stream()
                    .<Runnable>map(volume -> () -> {
                        exporter.export(volume, TestWork.patient());
                        exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
                    })
                    .toList());

            assertThat(outcomes).allSatisfy(thrown -> assertThat(thrown).isNull());
            assertThat(exports()).isZero();
            volumes.forEach(this::remove);
        }
    }

    private void withdraw(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        remove(volume);
    }
}
