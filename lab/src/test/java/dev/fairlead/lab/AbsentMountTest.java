package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.Volume;
import dev.fairlead.lab.abuse.machine.Shell;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed, and started again while the file system of its base folder is not mounted. */
class AbsentMountTest {
    @TempDir
    Path folder;

    @Test
    void it_knows_the_base_and_waits_for_the_mount() throws Exception {
        Needs.root();
        DriverFixture fixture = DriverFixture.proxy(folder);
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path base = Files.createDirectory(folder.resolve("base"));
        fixture.connect("c1", base);
        mount(disk, base);
        try {
            Volume volume;
            DriverProcess driver = fixture.start();
            try (CsiClient client = new CsiClient(fixture.socket())) {
                volume = client.create("pvc-1", Map.of("connection", "c1"));
            } finally {
                driver.kill();
            }
            var _ = Shell.run("umount", base.toString());

            try (DriverProcess _ = fixture.start();
                    CsiClient client = new CsiClient(fixture.socket())) {
                isUnavailable(() -> {
                    var _ = client.list(0, "");
                });
                isUnavailable(() -> {
                    var _ = client.create("pvc-2", Map.of("connection", "c1"));
                });
                isUnavailable(() -> client.delete(volume.getVolumeId()));
                assertThat(base).isEmptyDirectory();
                mount(disk, base);

                assertThat(client.list(0, "").getEntriesList())
                        .extracting(entry -> entry.getVolume().getVolumeId())
                        .containsExactly(volume.getVolumeId());
                client.delete(volume.getVolumeId());
            }
        } finally {
            Tree.unmountBelow(folder);
        }
    }

    private static void mount(Path disk, Path base) throws IOException, InterruptedException {
        var _ = Shell.run("mount", "--bind", disk.toString(), base.toString());
    }

    private static void isUnavailable(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
                .hasMessageContaining("FL-CON-003");
    }
}
