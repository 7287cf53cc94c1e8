package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver answers that is started while the base folder that it served before is a bare mount point. */
class AbsentBaseOverSocketTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    private RunningDriver started(String... modes) throws Exception {
        return RunningDriver.proxy(folder).start(modes);
    }

    private RunningDriver withConnection(String... modes) throws Exception {
        return RunningDriver.proxy(folder).localConnection("disk", "").start(modes);
    }

    private static ListVolumesResponse list(RunningDriver driver) {
        return driver.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
    }

    private static void isOutOfReach(RunningDriver driver, Volume volume) {
        RunningDriver.isUnavailable("FL-CON-003", () -> {
            var _ = list(driver);
        });
        RunningDriver.isUnavailable("FL-CON-003", () -> {
            var _ = driver.create("pvc-new");
        });
        RunningDriver.isUnavailable("FL-CON-003", () -> {
            var _ = driver.controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder()
                            .setVolumeId(volume.getVolumeId())
                            .build());
        });
        RunningDriver.isUnavailable("FL-CON-003", () -> {
            var _ = driver.controller()
                    .createSnapshot(CreateSnapshotRequest.newBuilder()
                            .setName("snap-1")
                            .setSourceVolumeId(volume.getVolumeId())
                            .build());
        });
    }

    private Path base() {
        return folder.resolve("volumes-disk");
    }

    private void unmount() throws IOException {
        Files.move(base(), folder.resolve("away"));
        Files.createDirectory(base());
    }

    private void mount() throws IOException {
        Files.delete(base());
        Files.move(folder.resolve("away"), base());
    }

    @ParameterizedTest
    @ValueSource(strings = {"controller", "both"})
    void nothing_is_missing_and_nothing_is_made_until_the_mount_is_back(String half) throws Exception {
        String[] modes = half.equals("both") ? new String[0] : new String[] {half};
        Volume volume;
        try (RunningDriver driver = withConnection(modes)) {
            volume = driver.create("pvc-1");
        }
        unmount();
        try (RunningDriver driver = started(modes)) {
            isOutOfReach(driver, volume);
            assertThat(base()).isEmptyDirectory();

            mount();

            assertThat(list(driver).getEntriesList())
                    .extracting(entry -> entry.getVolume().getVolumeId())
                    .containsExactly(volume.getVolumeId());
            var _ = driver.create("pvc-2");
        }
    }

    @Test
    void the_base_stays_known_though_its_connection_s_file_was_away_for_a_while() throws Exception {
        Path file = folder.resolve("connections/disk.yaml");
        Volume volume;
        try (RunningDriver driver = withConnection()) {
            volume = driver.create("pvc-1");
        }
        unmount();
        Path kept = Files.move(file, folder.resolve("kept"));
        started().close();
        Files.move(kept, file);

        try (RunningDriver driver = started()) {
            isOutOfReach(driver, volume);
        }
    }

    @Test
    void a_base_that_was_emptied_for_good_is_new_once_its_file_is_removed() throws Exception {
        try (RunningDriver driver = withConnection()) {
            var _ = driver.create("pvc-1");
        }
        unmount();
        try (Stream<Path> files = Files.list(folder.resolve("csi.sock.bases"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }

        try (RunningDriver driver = started()) {
            assertThat(list(driver).getEntriesList()).isEmpty();
            var _ = driver.create("pvc-2");
        }
    }
}
