package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import java.util.Optional;
import mockwebserver3.MockResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which marks on a PersistentVolume or on its class keep its affinity as it is. */
class VolumeMarksTest {
    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fairlead.dev/affinity: paused | | it has the annotation fairlead.dev/affinity=paused",
                "piraeus.io/skip-affinity-controller: 1 | | it has the annotation piraeus.io/skip-affinity-controller",
                "| fairlead.dev/affinity: paused | its StorageClass has the annotation fairlead.dev/affinity=paused",
                "fairlead.dev/affinity: go | fairlead.dev/affinity: on |",
                "piraeus.io/skip-affinity-controller: | piraeus.io/skip-affinity-controller: 1 |"
            })
    void a_mark_of_ours_counts_on_both_and_one_of_the_former_controller_on_the_volume(
            @Nullable String volume, @Nullable String ofClass, @Nullable String reason) {
        server.fault(list(item(volume)));
        server.fault(list(""));
        server.fault(response("""
                {"kind": "StorageClass", "metadata": {"name": "fast", "annotations": {%s}},
                 "provisioner": "linstor.csi.linbit.com"}""".formatted(annotation(ofClass))));

        assertThat(paused()).isEqualTo(Optional.ofNullable(reason));
    }

    @Test
    void a_class_that_cannot_be_read_may_have_the_mark() {
        server.fault(list(item("")));
        server.fault(list(""));
        server.fault(new MockResponse.Builder()
                .code(403)
                .body("{\"kind\": \"Status\", \"code\": 403, \"reason\": \"Forbidden\"}")
                .build());

        assertThat(paused()).hasValueSatisfying(why -> assertThat(why).contains("cannot be read"));
    }

    private Optional<String> paused() {
        ClusterVolumes volumes = new ClusterVolumes(server.client(), _ -> true, ObjectFeed.Times.USUAL, _ -> {});
        volumes.list();
        return volumes.volume("pv-1").orElseThrow().use().paused();
    }

    private static String item(@Nullable String annotation) {
        return """
                {"metadata": {"name": "pv-1", "uid": "u", "resourceVersion": "1", "annotations": {%s}},
                 "spec": {"storageClassName": "fast", "csi": {"driver": "linstor.csi.linbit.com", "volumeHandle": "v"}},
                 "status": {"phase": "Bound"}}""".formatted(annotation(annotation));
    }

    private static String annotation(@Nullable String words) {
        if (words == null || words.isBlank()) return "";
        String[] parts = words.split(":", 2);
        return "\"%s\": \"%s\"".formatted(parts[0].strip(), parts[1].strip());
    }

    private static MockResponse list(String items) {
        return response(
                "{\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"10\"}, \"items\": [" + items + "]}");
    }

    private static MockResponse response(String body) {
        return new MockResponse.Builder().code(200).body(body).build();
    }
}
