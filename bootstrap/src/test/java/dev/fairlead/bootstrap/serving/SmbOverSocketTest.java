package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
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
    private static final String PROXY = """
        driver: proxy
        proxy:
          configFolder: "@DIR@/connections"
          nodeTopology: {type: node}
        """;
    private static final String HANDLE = "v:nas/pvc-1";

    private final List<String> share = List.of(Optional.ofNullable(System.getenv("FAIRLEAD_SMB"))
            .orElse("//none/none")
            .split("/", -1));
    private final String password =
            Optional.ofNullable(System.getenv("FAIRLEAD_SMB_PASSWORD")).orElse("");

    @TempDir
    Path folder = Path.of("/nonexistent");

    private Map<String, String> context() {
        return Map.of(
                "node_attach_driver",
                "smb",
                "provisioner_driver",
                "zfs-generic-smb",
                "server",
                share.get(2),
                "share",
                share.get(3));
    }

    private void stage(RunningDriver driver, Path staging, String with) {
        var _ = driver.node()
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(HANDLE)
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(RunningDriver.mounted())
                        .putAllVolumeContext(context())
                        .putSecrets("mount_flags", "username=keeper,password=" + with)
                        .build());
    }

    private static List<String> mounts(Path below) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.split(" ", -1)[4].startsWith(below + "/"))
                .toList();
    }

    @Test
    void a_volume_is_staged_published_measured_and_taken_away() throws Exception {
        Path staging = folder.resolve("staging");
        Path pod = folder.resolve("pod");
        try (RunningDriver driver =
                new RunningDriver(folder).main(PROXY).env("CSI_NODE_ID", "n1").start()) {
            stage(driver, staging, password);
            var _ = driver.node()
                    .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                            .setVolumeId(HANDLE)
                            .setStagingTargetPath(staging.toString())
                            .setTargetPath(pod.toString())
                            .setVolumeCapability(RunningDriver.mounted())
                            .putAllVolumeContext(context())
                            .build());
            Files.writeString(pod.resolve("over-socket"), "here");

            assertThat(staging.resolve("over-socket")).hasContent("here");
            assertThat(mounts(folder)).hasSize(2).allMatch(line -> line.contains("username=keeper"));
            assertThat(driver.node()
                            .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                    .setVolumeId(HANDLE)
                                    .setVolumePath(pod.toString())
                                    .build())
                            .getUsage(0)
                            .getTotal())
                    .isPositive();

            var _ = driver.node()
                    .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(HANDLE)
                            .setTargetPath(pod.toString())
                            .build());
            var _ = driver.node()
                    .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                            .setVolumeId(HANDLE)
                            .setStagingTargetPath(staging.toString())
                            .build());
            assertThat(mounts(folder)).isEmpty();
            assertThat(staging).doesNotExist();

            assertThatThrownBy(() -> stage(driver, staging, "hunter2,vers=3.1.1"))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("Permission denied")
                    .hasMessageNotContaining("hunter2");
            assertThat(mounts(folder)).isEmpty();
        }
    }
}
