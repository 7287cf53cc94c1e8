package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.volume.OutOfReach;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests an exporter whose storage is gone as a whole: no volume is reported as missing, and no export as closed. */
public interface ExporterAbsenceContract extends ExporterContract {
    /** Takes the storage away with all that is exported from it. */
    void takeAway();

    /** Brings it back as it was. */
    void bringBack();

    /** Returns whether an export has to ask the storage; an exporter that only tells a name answers as before. */
    default boolean asksTheStorage() {
        return true;
    }

    @Test
    default void a_volume_whose_storage_is_away_is_not_said_to_be_missing() {
        try (Exporter exporter = exporter()) {
            Birth birth = birth("pvc-a");
            StoredVolume volume = volume(birth, exporter.plan(birth).notes());
            Export before = exporter.export(volume, TestWork.patient());

            takeAway();
            try {
                if (asksTheStorage()) {
                    OutOfReach.verifyNotNow("export", () -> exporter.export(volume, TestWork.patient()));
                } else {
                    assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(before);
                }
            } finally {
                bringBack();
            }

            assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(before);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            remove(volume);
        }
    }

    @Test
    default void an_export_that_is_said_to_be_closed_meanwhile_is_closed_when_the_storage_is_back() {
        try (Exporter exporter = exporter()) {
            Birth birth = birth("pvc-a");
            StoredVolume volume = volume(birth, exporter.plan(birth).notes());
            exporter.export(volume, TestWork.patient());
            Runnable close = () -> exporter.unexport(
                    volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            takeAway();
            boolean closed;
            try {
                closed = OutOfReach.isDone("unexport", close);
            } finally {
                bringBack();
            }
            if (!closed) {
                close.run();
            }

            assertThat(exports()).as("said to be closed meanwhile: %s", closed).isZero();
            remove(volume);
        }
    }
}
