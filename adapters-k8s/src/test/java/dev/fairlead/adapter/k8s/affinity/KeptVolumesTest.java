package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import java.util.List;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeptVolumesTest {
    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void other_drivers_volumes_are_kept_only_if_they_are_marked_and_equal_values_once() {
        server.fault(list(
                "PersistentVolume",
                volume("ours-1", "org.example.csi", "k"),
                volume("ours-2", "org.example.csi", "k"),
                volume("theirs", "com.example.csi", "k"),
                volume("marked", "com.example.csi", ReplacementMark.INTENT)));
        server.fault(list("VolumeAttachment"));
        ClusterVolumes seen =
                new ClusterVolumes(server.client(), "org.example.csi"::equals, ObjectFeed.Times.USUAL, _ -> {});

        seen.list();

        assertThat(seen.volumes())
                .extracting(one -> one.placed().name())
                .containsExactlyInAnyOrder("ours-1", "ours-2", "marked");
        PlacedVolume one = seen.volume("ours-1").orElseThrow().placed();
        PlacedVolume other = seen.volume("ours-2").orElseThrow().placed();
        assertThat(one.annotations()).isSameAs(other.annotations());
        assertThat(one.driver()).isSameAs(other.driver());
        assertThat(one.handle()).isNotEqualTo(other.handle());
    }

    private static String volume(String name, String driver, String annotation) {
        return """
                {"metadata": {"name": "%1$s", "uid": "u-%1$s", "annotations": {"%3$s": "v"}},
                 "spec": {"csi": {"driver": "%2$s", "volumeHandle": "h-%1$s"}}}""".formatted(name, driver, annotation);
    }

    private static MockResponse list(String kind, String... items) {
        return new MockResponse.Builder()
                .code(200)
                .body("{\"kind\": \"%sList\", \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [%s]}"
                        .formatted(kind, String.join(",", List.of(items))))
                .build();
    }
}
