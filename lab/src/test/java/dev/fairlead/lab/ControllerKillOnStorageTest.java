package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ListVolumesResponse;
import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.fairlead.lab.DriverOnStorage.Parent;
import dev.fairlead.lab.DriverOnStorage.Protocol;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The controller's process is killed by SIGKILL in the middle of a detached snapshot, a copied clone, a copied restore
 * and a transfer to another connection, all at once; the next process is called over the same socket.
 */
@OnStorage
class ControllerKillOnStorageTest {
    private static final long BYTES = 16_000_000;
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");
    private static final String DETACHED = "s:east/pvc-1/d-1";

    @TempDir
    Path folder;

    private Optional<Parent> small = Optional.empty();
    private Optional<SlowStreams> slow = Optional.empty();

    private enum Call {
        DETACHED_SNAPSHOT,
        CLONE,
        RESTORE,
        TRANSFER
    }

    private static final List<Call> ON_ONE_CONNECTION = List.of(Call.DETACHED_SNAPSHOT, Call.CLONE, Call.RESTORE);

    @BeforeEach
    void enter(StorageHost host) throws IOException {
        slow = Optional.of(SlowStreams.of(host));
        small = Optional.of(new Parent(host, host.parent().replace("tank/", "small/")));
        host.shell("zfs create " + small.get().dataset());
    }

    /** The second pool is nobody's after the test but ours. */
    @AfterEach
    void leave() throws IOException {
        slow.orElseThrow().fast();
        small.orElseThrow().shell("zfs destroy -Rf " + small.orElseThrow().dataset());
    }

    private DriverOnStorage driver(Protocol protocol, StorageHost host) throws IOException, InterruptedException {
        Map<String, Parent> parents = Map.of("east", new Parent(host, host.parent()), "west", small.orElseThrow());
        return DriverOnStorage.start(folder, protocol, parents);
    }

    private static Object ask(DriverOnStorage driver, Call call) {
        return switch (call) {
            case DETACHED_SNAPSHOT ->
                driver.client().snapshot("d-1", "v:east/pvc-1", Map.of("detachedSnapshots", "true"));
            case CLONE -> driver.make("pvc-2", "east", COPIES, CsiClient.fromVolume("v:east/pvc-1"));
            case RESTORE -> driver.make("pvc-3", "east", COPIES, CsiClient.fromSnapshot("s:east/pvc-0@s-0"));
            case TRANSFER -> driver.make("pvc-4", "west", Map.of(), CsiClient.fromVolume("v:east/pvc-0"));
        };
    }

    /** Two volumes, since no more than two copies of one run at once; returns what each has. */
    private static Map<String, String> sources(DriverOnStorage driver) throws IOException {
        for (String volume : List.of("pvc-0", "pvc-1")) {
            driver.make(volume, "east", Map.of());
            driver.fill("east", volume, BYTES);
        }
        driver.client().snapshot("s-0", "v:east/pvc-0");
        return Map.of(
                "pvc-0", driver.checksum("east", "pvc-0", BYTES), "pvc-1", driver.checksum("east", "pvc-1", BYTES));
    }

    /** Kills the process once some of each of the four has come. */
    private void killInTheMiddle(DriverOnStorage driver) throws Exception {
        slow.orElseThrow().slow();
        Map<Call, CompletableFuture<Optional<Status.Code>>> calls = Arrays.stream(Call.values())
                .collect(Collectors.toMap(call -> call, call -> DriverOnStorage.begin(() -> ask(driver, call))));
        Parent east = driver.parent("east");
        Parent west = driver.parent("west");
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!(isComing(east, "s/pvc-1/d-1")
                && isComing(east, "v/pvc-2")
                && isComing(east, "v/pvc-3")
                && isComing(west, "v/pvc-4")
                && west.property("receive_resume_token", "v/pvc-4").startsWith("1-"))) {
            assertThat(System.nanoTime())
                    .as("%s %s %s", east.left(), west.left(), slow.orElseThrow().running())
                    .isLessThan(giveUp);
        }

        driver.kill();

        for (CompletableFuture<Optional<Status.Code>> call : calls.values()) {
            assertThat(call.get(30, TimeUnit.SECONDS)).matches(DriverOnStorage::isRepeated);
        }
    }

    private static boolean isComing(Parent parent, String dataset) throws IOException {
        return parent.property("inconsistent", dataset).equals("1");
    }

    private static void requireNoneReady(DriverOnStorage driver, String... volumes) {
        assertThat(driver.client().listSnapshots().getEntriesList())
                .extracting(entry -> entry.getSnapshot().getSnapshotId())
                .containsExactly("s:east/pvc-0@s-0");
        assertThat(driver.client().list(0, "").getEntriesList())
                .extracting(ListVolumesResponse.Entry::getVolume)
                .extracting(Volume::getVolumeId)
                .containsExactlyInAnyOrder(volumes);
    }

    /** Repeats the calls until they are answered, deletes what they were made of, and compares. */
    private static void requireWhole(DriverOnStorage driver, Map<String, String> sums) throws Exception {
        for (Call call : Call.values()) {
            Object made = DriverOnStorage.repeated(() -> ask(driver, call));
            if (made instanceof Snapshot snapshot) {
                assertThat(snapshot.getSnapshotId()).isEqualTo(DETACHED);
                assertThat(snapshot.getReadyToUse()).isTrue();
            }
        }
        DriverOnStorage.repeated(() -> driver.client().deleteSnapshot("s:east/pvc-0@s-0"));
        assertThat(driver.parent("east").left()).as("helpers").noneMatch(name -> name.contains("@"));
        assertThat(driver.parent("west").left()).as("helpers").noneMatch(name -> name.contains("@"));
        for (String source : List.of("v:east/pvc-0", "v:east/pvc-1")) {
            DriverOnStorage.repeated(() -> driver.client().delete(source));
        }
        driver.make("pvc-5", "east", Map.of(), CsiClient.fromSnapshot(DETACHED));
        assertThat(driver.checksum("east", "pvc-5", BYTES)).as("the snapshot").isEqualTo(sums.get("pvc-1"));
        assertThat(driver.checksum("east", "pvc-2", BYTES)).as("the clone").isEqualTo(sums.get("pvc-1"));
        assertThat(driver.checksum("east", "pvc-3", BYTES)).as("the restore").isEqualTo(sums.get("pvc-0"));
        assertThat(driver.checksum("west", "pvc-4", BYTES)).as("the transfer").isEqualTo(sums.get("pvc-0"));
    }

    /** Deletes all that was made, after which there is nothing, and nobody sends or receives. */
    private void requireNothingLeft(DriverOnStorage driver) throws Exception {
        for (String volume : List.of("v:east/pvc-5", "v:east/pvc-3", "v:east/pvc-2", "v:west/pvc-4")) {
            DriverOnStorage.repeated(() -> driver.client().delete(volume));
        }
        DriverOnStorage.repeated(() -> driver.client().deleteSnapshot(DETACHED));
        assertThat(driver.parent("east").left()).isEmpty();
        assertThat(driver.parent("west").left()).isEmpty();
        assertThat(slow.orElseThrow().running()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void the_next_process_waits_for_copies_that_go_on_and_takes_up_the_transfer(Protocol protocol, StorageHost host)
            throws Exception {
        try (DriverOnStorage driver = driver(protocol, host)) {
            Map<String, String> sums = sources(driver);
            killInTheMiddle(driver);
            driver.startAgain();

            requireNoneReady(driver, "v:east/pvc-0", "v:east/pvc-1");
            for (Call call : ON_ONE_CONNECTION) {
                assertThat(DriverOnStorage.code(() -> ask(driver, call)))
                        .as("%s", call)
                        .contains(Status.Code.UNAVAILABLE);
            }
            var _ = DriverOnStorage.repeated(() -> ask(driver, Call.TRANSFER));
            assertThat(slow.orElseThrow().isResumed()).isTrue();
            requireNoneReady(driver, "v:east/pvc-0", "v:east/pvc-1", "v:west/pvc-4");

            slow.orElseThrow().fast();
            requireWhole(driver, sums);
            requireNothingLeft(driver);
        }
    }

    @Test
    void copies_whose_streams_have_ended_before_the_next_process_begin_anew(StorageHost host) throws Exception {
        try (DriverOnStorage driver = driver(Protocol.NFS, host)) {
            Map<String, String> sums = sources(driver);
            killInTheMiddle(driver);
            host.shell("pkill -KILL -f '^/sbin/zfs receive '; rm /run/slow");
            driver.startAgain();

            requireNoneReady(driver, "v:east/pvc-0", "v:east/pvc-1");
            requireWhole(driver, sums);
            requireNothingLeft(driver);
        }
    }
}
