package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.Volume;
import csi.v1.VolumeContentSource;
import dev.fairlead.lab.DriverOnStorage.Parent;
import dev.fairlead.lab.DriverOnStorage.Protocol;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A storage host stops at once and starts from its disks while a stream flows between it and another one. */
@OnStorage
class HostRestartOnStorageTest {
    private static final long BYTES = 60_000_000;

    /** Less than the first part of a slow stream. */
    private static final long SOME = 4_000_000;

    enum End {
        SOURCE,
        TARGET
    }

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"NFS,SOURCE", "NFS,TARGET", "ISCSI,SOURCE", "ISCSI,TARGET"})
    void a_transfer_is_taken_up_where_it_was_once_the_host_is_back(
            Protocol protocol, End end, StorageHost source, @SecondHost StorageHost target) throws Exception {
        SlowStreams slow = SlowStreams.of(source);
        SlowStreams arriving = SlowStreams.of(target);
        Parent east = new Parent(source, source.parent());
        Parent west = new Parent(target, target.parent());
        try (DriverOnStorage driver = DriverOnStorage.start(folder, protocol, Map.of("east", east, "west", west))) {
            driver.make("pvc-1", "east", Map.of());
            driver.fill("east", "pvc-1", BYTES);
            String sum = driver.checksum("east", "pvc-1", BYTES);
            VolumeContentSource content = CsiClient.fromVolume("v:east/pvc-1");
            slow.slow();
            CompletableFuture<Optional<Status.Code>> call =
                    DriverOnStorage.begin(() -> driver.make("pvc-2", "west", Map.of(), content));
            awaitSome(west);
            assertThat(slow.running()).contains("zfs send");

            (end == End.SOURCE ? source : target).reboot();

            assertThat(call.get(3, TimeUnit.MINUTES)).matches(DriverOnStorage::isRepeated);
            assertThat(west.property("receive_resume_token", "v/pvc-2")).startsWith("1-");
            assertThat(used(west)).as("what had come").isGreaterThan(SOME);
            slow.fast();
            Volume made = DriverOnStorage.repeated(() -> driver.make("pvc-2", "west", Map.of(), content));

            assertThat(made.getVolumeId()).isEqualTo("v:west/pvc-2");
            assertThat(slow.isResumed()).isTrue();
            assertThat(driver.checksum("west", "pvc-2", BYTES)).isEqualTo(sum);
            assertThat(east.left()).containsExactly(east.dataset() + "/v/pvc-1");
            assertThat(west.left()).containsExactly(west.dataset() + "/v/pvc-2");
            DriverOnStorage.repeated(() -> driver.client().delete("v:west/pvc-2"));
            DriverOnStorage.repeated(() -> driver.client().delete("v:east/pvc-1"));
            assertThat(east.left()).isEmpty();
            assertThat(west.left()).isEmpty();
            assertThat(slow.running()).isEmpty();
            assertThat(arriving.running()).isEmpty();
        }
    }

    private static void awaitSome(Parent west) throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (used(west) <= SOME) {
            assertThat(System.nanoTime()).as("%s", west.left()).isLessThan(giveUp);
        }
    }

    private static long used(Parent west) throws Exception {
        String used = west.property("used", "v/pvc-2");
        return used.isEmpty() ? 0 : Long.parseLong(used);
    }
}
