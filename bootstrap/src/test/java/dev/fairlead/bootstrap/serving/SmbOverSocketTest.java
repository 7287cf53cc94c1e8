package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node plugin that is asked over its socket for a share of a real server; {@code FAIRLEAD_SMB} names a share that can
 * be written, such as {@code //stor/srv}, and {@code FAIRLEAD_SMB_PASSWORD} the password of its user {@code keeper}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_SMB", matches = "//.+/.+")
class SmbOverSocketTest {
    private final List<String> share = List.of(Optional.ofNullable(System.getenv("FAIRLEAD_SMB"))
            .orElse("//none/none")
            .split("/", -1));
    private final String password =
            Optional.ofNullable(System.getenv("FAIRLEAD_SMB_PASSWORD")).orElse("");

    @TempDir
    Path folder = Path.of("/nonexistent");

    private KubeletVolume volume(String with) {
        return new KubeletVolume(
                "v:nas/pvc-1",
                folder,
                false,
                Map.of(
                        "node_attach_driver",
                        "smb",
                        "provisioner_driver",
                        "zfs-generic-smb",
                        "server",
                        share.get(2),
                        "share",
                        share.get(3)),
                Map.of("mount_flags", "username=keeper,password=" + with));
    }

    @Test
    void a_volume_is_staged_published_measured_and_taken_away() throws Exception {
        KubeletVolume volume = volume(password);
        try (RunningDriver driver = RunningDriver.proxy(folder).start()) {
            volume.stage(driver.node());
            volume.publish(driver.node());
            Files.writeString(volume.pod().resolve("over-socket"), "here");

            assertThat(volume.staging().resolve("over-socket")).hasContent("here");
            assertThat(NodeShell.mounts(folder)).hasSize(2).allMatch(line -> line.contains("username=keeper"));
            assertThat(volume.totalBytes(driver.node())).isPositive();

            volume.unpublish(driver.node());
            volume.unstage(driver.node());
            assertThat(NodeShell.mounts(folder)).isEmpty();
            assertThat(volume.staging()).doesNotExist();

            assertThatThrownBy(() -> volume("hunter2,vers=3.1.1").stage(driver.node()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("Permission denied")
                    .hasMessageNotContaining("hunter2");
            assertThat(NodeShell.mounts(folder)).isEmpty();
        }
    }
}
