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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of long work when the process is told to end. */
@Timeout(300)
class ProcessEndOverSocketTest {
    private static final int FILES = 5_000;

    @TempDir
    Path folder = Path.of("/nonexistent");

    private RunningDriver start() throws Exception {
        return new RunningDriver(folder)
                .main(RunningDriver.local("@DIR@/volumes") + RunningDriver.PATIENT)
                .start("controller");
    }

    @Test
    void a_copy_that_has_not_ended_in_time_is_stopped_and_begun_anew_by_a_repeated_call() throws Exception {
        Path base = Files.createDirectory(folder.resolve("volumes"));
        String source;
        try (RunningDriver driver = start()) {
            source = driver.controller()
                    .createVolume(RunningDriver.volume("source", Map.of()).build())
                    .getVolume()
                    .getVolumeId();
        }
        for (int i = 0; i < FILES; i++) {
            Files.writeString(base.resolve("v/source/" + i), "x");
        }
        int attempt = 0;
        while (!isStopped(base, copy(source, "copy-" + attempt))) {
            assertThat(++attempt)
                    .as("copies that ended before anybody saw them")
                    .isLessThan(10);
        }

        try (RunningDriver driver = start()) {
            CreateVolumeResponse _ = driver.controller().createVolume(copy(source, "copy-" + attempt));

            assertThat(names(base.resolve("v/copy-" + attempt))).isEqualTo(FILES);
        }
    }

    private static CreateVolumeRequest copy(String source, String name) {
        return RunningDriver.volume(name, Map.of())
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(source)))
                .build();
    }

    /** Ends the driver in the middle of a copy; returns whether the copy was not done already. */
    private boolean isStopped(Path base, CreateVolumeRequest copy) throws Exception {
        try (RunningDriver driver = start()) {
            CompletableFuture<CreateVolumeResponse> answer = CompletableFuture.supplyAsync(
                    () -> driver.controller().createVolume(copy),
                    task -> Thread.ofVirtual().start(task));
            while (copied(base, copy.getName()) == 0 && !answer.isDone()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }

            assertThat(driver.drain(ProcessEnd.STOPPING)).isTrue();

            if (answer.handle((_, thrown) -> thrown == null).join()) {
                return false;
            }
            assertThatThrownBy(answer::join).cause().isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(refused).hasMessageContaining("a repeated call begins it anew");
            });
            assertThat(base.resolve("v").resolve(copy.getName())).doesNotExist();
            return true;
        }
    }

    /** How many files the copy has that is being made. */
    private static long copied(Path base, String name) throws IOException {
        try (Stream<Path> making = Files.list(base.resolve(".fairlead/partial"))) {
            Optional<Path> folder = making.filter(path -> path.toString().endsWith("folder.volume." + name))
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
