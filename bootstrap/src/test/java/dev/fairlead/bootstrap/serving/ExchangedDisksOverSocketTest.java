package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import csi.v1.CapacityRange;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two disks that are mounted at each other's paths, as after a start of the node that found them in another order. */
class ExchangedDisksOverSocketTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private void disk(String name) throws Exception {
        Path disk = Files.createDirectories(folder.resolve(name));
        Assumptions.assumeTrue(
                NodeShell.run("mount", "-t", "tmpfs", "-o", "size=64m", "none", disk.toString()) == 0,
                "left out: this user may not mount");
    }

    private void mount(String disk, String pool) throws Exception {
        Path at = Files.createDirectories(folder.resolve(pool));
        assertThat(NodeShell.run("mount", "--bind", folder.resolve(disk).toString(), at.toString()))
                .isZero();
    }

    private void unmount(String pool) throws Exception {
        assertThat(NodeShell.run("umount", folder.resolve(pool).toString())).isZero();
    }

    private RunningDriver driver() throws Exception {
        return RunningDriver.proxy(folder)
                .connection(
                        "disks",
                        "driver: local-pool\nlocal-pool: {pools: [{name: fast, path: \"@DIR@/fast\", kind: directory},"
                                + " {name: slow, path: \"@DIR@/slow\", kind: directory}]}\n"
                                + "fairlead: {baseFolder: create}\n")
                .start();
    }

    private PooledVolume volume(RunningDriver driver, String pool) {
        var request = RunningDriver.volume("pvc-1", Map.of("connection", "disks", "storagePool", pool))
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20));
        return new PooledVolume(
                folder, driver.controller().createVolume(request.build()).getVolume(), RunningDriver.mounted());
    }

    private static Status refusal(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
    }

    @Test
    void no_pod_gets_the_content_of_the_other_disk_and_what_is_mounted_is_taken_away() throws Exception {
        disk("sda");
        disk("sdb");
        mount("sda", "fast");
        mount("sdb", "slow");
        try (RunningDriver driver = driver()) {
            PooledVolume fast = volume(driver, "fast");
            var _ = volume(driver, "slow");
            fast.stageAndPublish(driver);
            Files.writeString(fast.pod().resolve("file"), "precious");
            unmount("fast");
            unmount("slow");
            mount("sdb", "fast");
            mount("sda", "slow");
            fast.unpublishAndUnstage(driver);

            Status told = refusal(() -> fast.stageAndPublish(driver));
            assertThat(told.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(told.getDescription())
                    .contains("the volume is of pool 'fast' of connection 'disks'", "is of pool 'slow' of connection");
            assertThat(refusal(() -> fast.delete(driver)).getDescription()).contains("was begun with pool: slow");
            assertThat(fast.pod()).doesNotExist();

            unmount("fast");
            unmount("slow");
            mount("sda", "fast");
            mount("sdb", "slow");
            fast.stageAndPublish(driver);
            assertThat(fast.pod().resolve("file")).hasContent("precious");
            fast.unpublishAndUnstage(driver);
        }
    }
}
