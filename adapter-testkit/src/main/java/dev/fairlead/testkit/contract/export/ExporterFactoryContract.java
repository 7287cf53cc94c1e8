package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.FactoryContract;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Everything that an {@code ExporterFactory} promises. */
public interface ExporterFactoryContract extends FactoryContract<Exporter> {
    ExporterFactory factory();

    @Override
    default boolean nodeLocal() {
        return factory().traits().nodeLocal();
    }

    @Override
    default Exporter opened(ConnectionScope scope, ConfigNode config) {
        return factory().open(scope, config);
    }

    /** Returns where a store that this exporter is joined with may keep a volume, on the storage host. */
    default String mediumPath() {
        return factory().traits().accepts() == VolumeMedium.Kind.BLOCK_DEVICE
                ? "/dev/zvol/tank/v/pvc-1"
                : "/mnt/tank/v/pvc-1";
    }

    /**
     * Returns an attachment that the exporter gives: the one that it plans. The test of an exporter that knows it only
     * once the volume is exported overrides this.
     */
    default Optional<Attachment> attachment(Exporter exporter) {
        VolumeMedium medium = factory().traits().accepts() == VolumeMedium.Kind.BLOCK_DEVICE
                ? new VolumeMedium.BlockDevice(mediumPath())
                : new VolumeMedium.Filesystem(mediumPath());
        return exporter.plan(new Birth(
                        TestVolumes.id("pvc-1"), TestVolumes.empty("pvc-1"), TestVolumes.SIZE, medium, Map.of()))
                .attachment();
    }

    @Test
    default void an_opened_exporter_gives_attachments_of_the_type_that_the_factory_claims() {
        try (Exporter exporter = opened()) {
            assertThat(attachment(exporter))
                    .containsInstanceOf(factory().traits().attachment());
        }
    }

    @Test
    default void an_opened_exporter_accepts_the_medium_that_the_factory_claims() {
        ExporterTraits traits = factory().traits();

        try (Exporter exporter = opened()) {
            assertThat(exporter.accepts()).isEqualTo(traits.accepts());
        }
        assertThat(traits.capabilities().block()).isEqualTo(traits.accepts() == VolumeMedium.Kind.BLOCK_DEVICE);
    }

    /**
     * Looks for revocation, since an exporter limits access by its settings, and can shut what was closed under others.
     */
    @Test
    default void an_opened_exporter_limits_access_if_the_factory_claims_it_and_else_never() {
        boolean claimed = factory().traits().accessControl();

        try (Exporter exporter = opened()) {
            assertThat(exporter.revocation().isPresent()).isEqualTo(claimed);
            assertThat(exporter.accessControl().isPresent() && !claimed).isFalse();
        }
    }

    @Test
    default void volumes_that_are_plain_paths_of_the_node_lie_below_a_folder_that_the_factory_tells() {
        ConfigNode good = ConfigNode.root(goodConfig(), new Problems("test.yaml"));

        assertThat(factory().hostPath(block(), good).isPresent())
                .isEqualTo(factory().traits().attachment().equals(Attachment.HostPath.class));
    }
}
