package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The types {@code freenas-…}: ZFS by SSH, and shares by the API of the same box. */
class HybridTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "smb", "iscsi", "nvmeof"})
    void a_volume_is_made_by_ssh_and_shared_by_the_api(String protocol) {
        try (HybridBox box = new HybridBox(Profile.V25_10, folder)) {
            Set<String> before = box.rows();
            try (OneConnectionFixture fixture = new OneConnectionFixture(HybridBox.backend(box.hybrid(protocol)))) {
                VolumeView view = fixture.create("pvc-1");

                assertThat(view.context()).containsEntry("node_attach_driver", protocol);
                assertThat(box.rows()).contains("dataset tank/k8s/v/pvc-1").hasSizeGreaterThan(before.size() + 1);
                assertThat(box.properties("tank/k8s/v/pvc-1"))
                        .containsEntry("democratic-csi:provision_success", "true");
                fixture.useCases().deleteVolume().delete(view.handle(), TestWork.patient());
            }
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.simulator().broken()).isEmpty();
        }
    }
}
