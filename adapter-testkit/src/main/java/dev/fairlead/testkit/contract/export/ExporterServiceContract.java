package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.Exporter.Export;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.volume.OutOfReach;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests an exporter while the service that exports its volumes cannot be seen: nothing is closed, or said to be. */
public interface ExporterServiceContract extends ExporterContract {
    /** Hides the service, which goes on exporting. */
    void hideService();

    /** Shows it again as it was. */
    void showService();

    @Test
    default void an_export_that_cannot_be_seen_is_not_said_to_be_closed_or_narrowed() {
        try (Exporter exporter = exporter()) {
            Birth birth = birth("pvc-a");
            StoredVolume volume = volume(birth, exporter.plan(birth).notes());
            Export before = exporter.export(volume, TestWork.patient());
            Optional<Revocation> revocation = exporter.revocation();

            hideService();
            try {
                OutOfReach.verifyNotNow("export", () -> exporter.export(volume, TestWork.patient()));
                OutOfReach.verifyNotNow(
                        "unexport",
                        () -> exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient()));
                OutOfReach.verifyNotNow(
                        "unexport of what is gone",
                        () -> exporter.unexport(
                                volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()));
                revocation.ifPresent(role ->
                        OutOfReach.verifyNotNow("revoke", () -> role.revoke(volume, Grants.NONE, TestWork.patient())));
            } finally {
                showService();
            }

            assertThat(exporter.export(volume, TestWork.patient())).isEqualTo(before);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(exports()).isZero();
            remove(volume);
        }
    }
}
