package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.GetPluginCapabilitiesRequest;
import dev.fairlead.application.config.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process whose main file is that of volumes made by hand, and a folder that a PersistentVolume names. */
class NodeManualOverSocketTest {
    private static final String MANUAL = """
        driver: node-manual
        fairlead: {node: {hostPathRoots: ["@DIR@/volumes"]}}
        """;

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void may_mount() throws Exception {
        NodeShell.assumeItMounts(folder);
        Files.createDirectories(folder.resolve("volumes/media"));
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private RunningDriver driver() throws IOException {
        return new RunningDriver(folder).main(MANUAL).env("CSI_NODE_ID", "n1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"media", "Film & Ton", "nas/media"})
    void a_folder_is_staged_published_measured_and_given_back(String handle) throws Exception {
        Map<String, String> context = Map.of(
                "node_attach_driver",
                "hostpath",
                "provisioner_driver",
                "node-manual",
                "path",
                folder.resolve("volumes/media").toString());
        KubeletVolume volume = new KubeletVolume(handle, folder, false, context, Map.of());
        try (RunningDriver driver = driver().start("node")) {
            volume.stage(driver.node());
            volume.publish(driver.node());

            assertThat(volume.totalBytes(driver.node())).isPositive();
            assertThat(volume.expand(driver.node(), 1)).isZero();

            volume.unpublish(driver.node());
            volume.unstage(driver.node());
            assertThat(NodeShell.mounts(folder)).isEmpty();
            assertThat(volume.staging()).doesNotExist();
        }
    }

    @Test
    void it_has_no_controller_and_does_not_start_as_one() throws Exception {
        try (RunningDriver driver = driver().start("node")) {
            assertThat(driver.identity()
                            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                            .toString())
                    .doesNotContain("CONTROLLER_SERVICE");
        }
        RunningDriver both = driver();

        assertThatThrownBy(() -> both.start())
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("node-manual has no controller side");
    }
}
