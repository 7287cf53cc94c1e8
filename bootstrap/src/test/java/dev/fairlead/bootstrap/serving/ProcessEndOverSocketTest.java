package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.VolumeContentSource;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of long work when the process is told to end. */
@Timeout(120)
class ProcessEndOverSocketTest {
    private static final int FILES = 5_000;

    @TempDir
    Path folder = Path.of("/nonexistent");

    private RunningDriver start() throws Exception {
        return new RunningDriver(folder)
                .main(RunningDriver.local("@DIR@/volumes"))
                .start("controller");
    }

    @Test
    void a_copy_that_has_not_ended_in_time_is_stopped_and_begun_anew_by_a_repeated_call() throws Exception {
        Path base = Files.createDirectory(folder.resolve("volumes"));
        CreateVolumeRequest copy;
        try (RunningDriver driver = start()) {
            String source = driver.controller()
                    .createVolume(RunningDriver.volume("source", Map.of()).build())
                    .getVolume()
                    .getVolumeId();
            for (int i = 0; i < FILES; i++) {
                Files.writeString(base.resolve("v/source/" + i), "x");
            }
            copy = RunningDriver.volume("copy", Map.of())
                    .setVolumeContentSource(VolumeContentSource.newBuilder()
                            .setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                    .setVolumeId(source)))
                    .build();
            CompletableFuture<CreateVolumeResponse> answer = CompletableFuture.supplyAsync(
                    () -> driver.controller().createVolume(copy),
                    task -> Thread.ofVirtual().start(task));
            while (copied(base) == 0) {
                Thread.onSpinWait();
            }

            assertThat(driver.drain(ProcessEnd.STOPPING)).isTrue();

            assertThatThrownBy(answer::join).cause().isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(refused).hasMessageContaining("a repeated call begins it anew");
            });
            assertThat(base.resolve("v/copy")).doesNotExist();
        }
        try (RunningDriver driver = start()) {
            CreateVolumeResponse _ = driver.controller().createVolume(copy);

            assertThat(names(base.resolve("v/copy"))).isEqualTo(FILES);
        }
    }

    /** How many files the copy has that is being made. */
    private static long copied(Path base) throws IOException {
        try (Stream<Path> making = Files.list(base.resolve(".fairlead/partial"))) {
            Optional<Path> folder = making.filter(path -> path.toString().endsWith("folder.volume.copy"))
                    .findAny();
            return folder.isPresent() ? names(folder.get()) : 0;
        }
    }

    private static long names(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }
}
