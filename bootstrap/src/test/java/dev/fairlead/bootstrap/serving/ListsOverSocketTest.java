package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists that hold more than the 4 MiB that a client of gRPC takes, without a limit asked for, as sidecars ask. */
class ListsOverSocketTest {
    private static final int MOST_BYTES = 4 << 20;
    private static final int COUNT = 8_000;

    /** Each handle has it, of which an entry has two. */
    private static final String CONNECTION = "n".repeat(200);

    @TempDir
    Path folder;

    @Test
    void all_volumes_come_in_pages_that_a_client_takes() throws Exception {
        try (RunningDriver driver = driver("v", "pvc-" + "v".repeat(100))) {
            List<ListVolumesResponse> pages = pages(
                    token -> driver.controller()
                            .listVolumes(ListVolumesRequest.newBuilder()
                                    .setStartingToken(token)
                                    .build()),
                    ListVolumesResponse::getNextToken);

            assertWhole(
                    pages,
                    page -> page.getEntriesList().stream()
                            .map(entry -> entry.getVolume().getVolumeId()));
        }
    }

    @Test
    void all_snapshots_come_in_pages_that_a_client_takes() throws Exception {
        try (RunningDriver driver = driver("s", "pvc-1-" + "s".repeat(100))) {
            List<ListSnapshotsResponse> pages = pages(
                    token -> driver.controller()
                            .listSnapshots(ListSnapshotsRequest.newBuilder()
                                    .setStartingToken(token)
                                    .build()),
                    ListSnapshotsResponse::getNextToken);

            assertWhole(
                    pages,
                    page -> page.getEntriesList().stream()
                            .map(entry -> entry.getSnapshot().getSnapshotId()));
        }
    }

    private static <P> List<P> pages(Function<String, P> page, Function<P, String> next) {
        List<P> pages = new ArrayList<>();
        String token = "";
        do {
            P read = page.apply(token);
            pages.add(read);
            token = next.apply(read);
        } while (!token.isEmpty());
        return pages;
    }

    private static <P extends MessageLite> void assertWhole(List<P> pages, Function<P, Stream<String>> handles) {
        assertThat(pages.stream().flatMap(handles)).hasSize(COUNT).isSorted().doesNotHaveDuplicates();
        assertThat(pages.stream().mapToInt(MessageLite::getSerializedSize).sum())
                .as("more than one message takes")
                .isGreaterThan(MOST_BYTES);
    }

    /** Serves a base that somebody else has filled. */
    private RunningDriver driver(String kind, String prefix) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("volumes-" + CONNECTION + "/v"));
        Path all =
                Files.createDirectories(folder.resolve("volumes-" + CONNECTION).resolve(kind));
        for (int i = 0; i < COUNT; i++) {
            Files.createDirectory(all.resolve(prefix + "-" + (10_000 + i)));
        }
        return RunningDriver.proxy(folder).localConnection(CONNECTION, "").start("controller");
    }
}
