package dev.fairlead.testkit.contract.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what an {@code Exporter} that publishes to single nodes promises beyond {@link ExporterContract}. */
public interface NodePublicationContract extends ExporterContract {
    /** Returns the names of the nodes on which the storage itself has made the volume available. */
    Set<String> availableOn(StoredVolume volume);

    private static NodePublication role(Exporter exporter) {
        return exporter.nodePublication().orElseThrow();
    }

    private static Grant grant(String node) {
        return new Grant(node, node, false, AccessMode.MULTI_NODE_MULTI_WRITER, false);
    }

    private StoredVolume exported(Exporter exporter) {
        Birth birth = birth("pvc-a");
        StoredVolume volume = volume(birth, exporter.plan(birth).notes());
        exporter.export(volume, TestWork.patient());
        return volume;
    }

    private void gone(Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        assertThat(availableOn(volume)).isEmpty();
        remove(volume);
    }

    @Test
    default void a_repetition_after_a_restart_answers_the_same_and_has_no_effect() {
        try (Exporter exporter = exporter();
                Exporter restarted = exporter()) {
            StoredVolume volume = exported(exporter);
            Map<String, String> context = role(exporter).publish(volume, grant("node-1"), TestWork.patient());
            TestWork work = TestWork.patient();

            assertThat(role(restarted).publish(volume, grant("node-1"), work)).isEqualTo(context);

            assertThat(work.effects()).isEmpty();
            assertThat(availableOn(volume)).containsExactly("node-1");
            gone(restarted, volume);
        }
    }

    @Test
    default void a_volume_is_taken_from_the_first_node_of_these_names_and_from_no_other() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = exported(exporter);
            for (String node : List.of("node-1", "node-2", "node-3")) {
                assertThat(role(exporter).publish(volume, grant(node), TestWork.patient()))
                        .isNotNull();
            }

            role(exporter).unpublish(volume, List.of("absent"), TestWork.patient());
            role(exporter).unpublish(volume, List.of("absent", "node-1", "node-2"), TestWork.patient());
            role(exporter).unpublish(volume, List.of("absent"), TestWork.patient());

            assertThat(availableOn(volume)).containsExactlyInAnyOrder("node-2", "node-3");
            role(exporter).unpublishAll(volume, TestWork.patient());
            role(exporter).unpublishAll(volume, TestWork.patient());
            assertThat(availableOn(volume)).isEmpty();
            gone(exporter, volume);
        }
    }

    @Test
    default void unexporting_takes_a_volume_from_every_node() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = exported(exporter);
            assertThat(role(exporter).publish(volume, grant("node-1"), TestWork.patient()))
                    .isNotNull();

            gone(exporter, volume);
        }
    }

    @Test
    default void a_publication_that_was_cut_anywhere_is_finished_by_a_retry() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = exported(exporter);
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                TestWork work = TestWork.patient().cancelledAfter(effects);
                Optional<Map<String, String>> told =
                        Failing.orEmpty(() -> role(exporter).publish(volume, grant("node-1"), work));
                Map<String, String> whole = role(exporter).publish(volume, grant("node-1"), TestWork.patient());
                assertThat(told.orElse(whole)).isEqualTo(whole);
                assertThat(availableOn(volume)).containsExactly("node-1");

                TestWork back = TestWork.patient().cancelledAfter(effects);
                boolean taken = Failing.works(() -> role(exporter).unpublish(volume, List.of("node-1"), back));
                cut = told.isEmpty() || !taken;
                role(exporter).unpublish(volume, List.of("node-1"), TestWork.patient());
                assertThat(availableOn(volume)).isEmpty();
                assertThat(effects).isLessThan(1000);
            }
            gone(exporter, volume);
        }
    }
}
