package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node plugin that is asked over its socket for a namespace of a real target; {@code FAIRLEAD_NVMEOF} names the way
 * to it and its subsystem, such as {@code tcp://stor:4420,nqn.2026-11.test.lab:stor}. What is on the namespace is lost.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_NVMEOF", matches = "tcp://.+,nqn.+")
class NvmeofOverSocketTest {
    private final String[] target = Optional.ofNullable(System.getenv("FAIRLEAD_NVMEOF"))
            .orElse("tcp://none,nqn")
            .split(",", -1);

    @TempDir
    Path folder = Path.of("/nonexistent");

    private KubeletVolume volume(boolean block) {
        return new KubeletVolume(
                "v:nas/pvc-1",
                folder,
                block,
                Map.of(
                        "node_attach_driver",
                        "nvmeof",
                        "provisioner_driver",
                        "zfs-generic-nvmeof",
                        "transport",
                        "",
                        "transports",
                        target[0],
                        "nqn",
                        target[1],
                        "nsid",
                        "1",
                        "fairlead.dev/content",
                        "empty"),
                Map.of());
    }

    /** Returns the connections to the target. */
    private List<Path> controllers() throws IOException {
        if (!Files.exists(Path.of("/sys/class/nvme"))) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(Path.of("/sys/class/nvme"))) {
            return all.filter(it -> {
                        try {
                            return Files.readString(it.resolve("subsysnqn"))
                                    .strip()
                                    .equals(target[1]);
                        } catch (IOException _) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(NodeShell.mounts(folder)).isEmpty();
        assertThat(folder.resolve("staging")).doesNotExist();
        assertThat(controllers()).isEmpty();
    }

    @Test
    void a_file_system_is_made_kept_and_taken_away() throws Exception {
        KubeletVolume volume = volume(false);
        try (RunningDriver driver = RunningDriver.proxy(folder).start()) {
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                volume.stage(driver.node());
                System.out.println("staged in " + (System.nanoTime() - start) / 1_000_000 + " ms");
                volume.stage(driver.node());
                volume.publish(driver.node());
                Path file = volume.pod().resolve("over-socket");
                if (i == 0) {
                    Files.writeString(file, "here");
                }
                assertThat(file).hasContent("here");
                assertThat(NodeShell.mounts(folder)).hasSize(2);
                assertThat(controllers()).hasSize(1);
                assertThat(volume.totalBytes(driver.node())).isPositive();
                assertThatThrownBy(() -> volume.unstage(driver.node())).isInstanceOf(StatusRuntimeException.class);

                volume.unpublish(driver.node());
                volume.unstage(driver.node());
                assertNothingIsLeft();
            }
        }
    }

    @Test
    void a_raw_device_is_given_and_taken_away() throws Exception {
        ByteBuffer text = ByteBuffer.wrap("raw".getBytes(StandardCharsets.US_ASCII));
        KubeletVolume volume = volume(true);
        try (RunningDriver driver = RunningDriver.proxy(folder).start()) {
            volume.stage(driver.node());
            volume.publish(driver.node());
            try (FileChannel pod = FileChannel.open(volume.pod(), StandardOpenOption.WRITE)) {
                // far from both ends, where file systems have their marks
                assertThat(pod.write(text, 100 << 20)).isEqualTo(3);
            }

            volume.unpublish(driver.node());
            volume.unstage(driver.node());
            assertNothingIsLeft();
        }
    }

    @Test
    void a_namespace_that_is_not_there_leaves_nothing() throws Exception {
        KubeletVolume volume = volume(false).with("nsid", "77");
        try (RunningDriver driver = RunningDriver.proxy(folder).start()) {
            assertThatThrownBy(() -> volume.stage(driver.node()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("no namespace 77");

            volume.unstage(driver.node());
            assertNothingIsLeft();
        }
    }
}
