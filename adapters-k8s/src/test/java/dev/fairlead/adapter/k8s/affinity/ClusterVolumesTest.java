package dev.fairlead.adapter.k8s.affinity;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.http.Json;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands on a PersistentVolume or its class pauses it. */
class ClusterVolumesTest {
    private static final Duration SECONDS = Duration.ofSeconds(20);

    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "fairlead.dev/affinity, paused, true",
        "fairlead.dev/affinity, Paused, false",
        "piraeus.io/skip-affinity-controller, 1, true",
        "piraeus.io/skip-affinity-controller, '', false",
        "example.com/other, paused, false"
    })
    void an_annotation_of_the_volume_pauses_it(String key, String value, boolean pauses) {
        volume(key, value);
        storageClass("a", "b");

        assertThat(use().paused().isPresent()).isEqualTo(pauses);
    }

    @Test
    void an_annotation_of_its_class_pauses_it_too() {
        volume("a", "b");
        storageClass("fairlead.dev/affinity", "paused");

        assertThat(use().paused()).hasValueSatisfying(why -> assertThat(why).contains("StorageClass"));
    }

    @Test
    void a_class_that_is_gone_pauses_nothing() {
        volume("a", "b");

        assertThat(use().paused()).isEmpty();
    }

    @Test
    void a_node_is_looked_up_once_it_matters_and_not_for_each_volume_that_is_attached() {
        server.fault(list("""
                {"metadata": {"name": "pvc-1", "uid": "u"}, "status": {"phase": "Bound"},
                 "spec": {"csi": {"driver": "org.example.csi", "volumeHandle": "v"}}}"""));
        server.fault(list("""
                {"metadata": {"name": "a"}, "status": {"attached": true},
                 "spec": {"nodeName": "node-1", "source": {"persistentVolumeName": "pvc-1"}}}"""));
        server.put(
                "/api/v1/nodes/node-1",
                Json.object("{\"kind\": \"Node\", \"metadata\": {\"name\": \"node-1\", \"labels\": {\"k\": \"v\"}}}")
                        .orElseThrow());

        VolumeUse.Attached attached = use().attachments().getFirst();
        assertThat(server.seen()).noneMatch(seen -> seen.contains("nodes/node-1"));
        assertThat(attached.labels()).contains(Map.of("k", "v"));
        assertThat(server.seen()).anyMatch(seen -> seen.contains("nodes/node-1"));
    }

    @Test
    void one_volume_is_looked_up_without_a_copy_of_the_attachments_of_all() {
        server.fault(list("""
                {"metadata": {"name": "pvc-1", "uid": "u"}, "status": {"phase": "Bound"},
                 "spec": {"csi": {"driver": "org.example.csi", "volumeHandle": "v"}}}"""));
        server.fault(
                list(IntStream.range(0, 5_000).mapToObj(at -> """
                {"metadata": {"name": "a%1$d"}, "status": {"attached": true},
                 "spec": {"nodeName": "node", "source": {"persistentVolumeName": "pvc-%1$d"}}}""".formatted(at)).collect(joining(","))));
        ClusterVolumes volumes = volumes();
        assertThat(volumes.volume("pvc-1").orElseThrow().use().attachments()).hasSize(1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        for (int time = 0; time < 100; time++) {
            assertThat(volumes.volume("pvc-1")).isPresent();
        }

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2_000_000);
    }

    private VolumeUse use() {
        return volumes().volume("pvc-1").orElseThrow().use();
    }

    private ClusterVolumes volumes() {
        ClusterVolumes volumes = new ClusterVolumes(
                server.client(),
                "org.example.csi"::equals,
                new ObjectFeed.Times(
                        SECONDS, SECONDS, SECONDS, new Backoff(Duration.ofMillis(1), Duration.ofMillis(5)), SECONDS),
                _ -> {});
        volumes.list();
        return volumes;
    }

    private void volume(String key, String value) {
        server.fault(list("""
                {"metadata": {"name": "pvc-1", "uid": "u", "annotations": {"%s": "%s"}},
                 "spec": {"storageClassName": "fast", "csi": {"driver": "org.example.csi", "volumeHandle": "v"}},
                 "status": {"phase": "Bound"}}""".formatted(key, value)));
        server.fault(list(""));
    }

    private static MockResponse list(String items) {
        return new MockResponse.Builder()
                .code(200)
                .body("{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [" + items + "]}")
                .build();
    }

    private void storageClass(String key, String value) {
        server.put(
                "/apis/storage.k8s.io/v1/storageclasses/fast",
                Json.object("""
                {"kind": "StorageClass", "metadata": {"name": "fast", "annotations": {"%s": "%s"}},
                 "provisioner": "org.example.csi"}""".formatted(key, value)).orElseThrow());
    }
}
