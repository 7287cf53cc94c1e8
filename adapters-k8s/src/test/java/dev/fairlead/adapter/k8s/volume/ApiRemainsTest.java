package dev.fairlead.adapter.k8s.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.application.port.out.cluster.Remains;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiRemainsTest {
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents";

    private final FakeApiServer server = FakeApiServer.plain();
    private final ApiRemains remains = new ApiRemains(server.client(), Duration.ofSeconds(10));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void volumes_and_snapshots_are_those_of_the_drivers_that_are_asked_for() {
        server.put(VOLUMES, list("PersistentVolumeList", "", """
                {"metadata":{"name":"pv-1"},"spec":{"csi":{"driver":"a"},"claimRef":{"namespace":"n","name":"c"}},
                 "status":{"phase":"Bound"}},
                {"metadata":{"name":"pv-2"},"spec":{"csi":{"driver":"b"}},"status":{"phase":"Available"}},
                {"metadata":{"name":"pv-3"},"spec":{"csi":{"driver":"c"}}},
                {"metadata":{"name":"pv-4"},"spec":{"nfs":{"server":"a"}}}
                """));
        server.put(SNAPSHOTS, list("VolumeSnapshotContentList", "", """
                {"metadata":{"name":"s-1"},"spec":{"driver":"b","volumeSnapshotRef":{"namespace":"n","name":"s"}}},
                {"metadata":{"name":"s-2"},"spec":{"driver":"c"}}
                """));

        Remains found = remains.of(Set.of("a", "b"));

        assertThat(found.volumes())
                .containsExactly(
                        new Remains.Volume("pv-1", Optional.of("n/c"), "Bound", false),
                        new Remains.Volume("pv-2", Optional.empty(), "Available", false));
        assertThat(found.snapshots()).containsExactly(new Remains.Snapshot("s-1", Optional.of("n/s"), false));
        assertThat(found.isEmpty()).isFalse();
        assertThat(found.isGoing()).isFalse();
    }

    @Test
    void what_the_driver_is_deleting_is_going_and_what_is_kept_is_not() {
        server.put(VOLUMES, list("PersistentVolumeList", "", """
                {"metadata":{"name":"1"},"spec":{"csi":{"driver":"a"},"persistentVolumeReclaimPolicy":"Delete"},
                 "status":{"phase":"Released"}},
                {"metadata":{"name":"2","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"csi":{"driver":"a"}}}
                """));
        server.put(SNAPSHOTS, list("VolumeSnapshotContentList", "", """
                {"metadata":{"name":"3","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"driver":"a"}}
                """));
        assertThat(remains.of(Set.of("a")).isGoing()).isTrue();

        server.put(VOLUMES, list("PersistentVolumeList", "", """
                {"metadata":{"name":"1"},"spec":{"csi":{"driver":"a"},"persistentVolumeReclaimPolicy":"Retain"},
                 "status":{"phase":"Released"}}
                """));
        assertThat(remains.of(Set.of("a")).isGoing()).isFalse();
    }

    @Test
    void a_cluster_without_snapshots_keeps_none() {
        server.put(VOLUMES, list("PersistentVolumeList", "", ""));

        assertThat(remains.of(Set.of("a")).isEmpty()).isTrue();
    }

    @Test
    void a_list_is_read_to_its_last_page() {
        server.fault(page("PersistentVolumeList", "more", volume("pv-1")));
        server.fault(page("PersistentVolumeList", "", volume("pv-2")));

        assertThat(remains.of(Set.of("a")).volumes())
                .extracting(Remains.Volume::name)
                .containsExactly("pv-1", "pv-2");
        assertThat(server.queries()).startsWith("limit=50", "limit=50&continue=more");
    }

    @Test
    void a_list_whose_place_the_server_has_forgotten_is_read_from_its_beginning() {
        server.fault(page("PersistentVolumeList", "more", volume("pv-1")));
        server.fault(FakeApiServer.status(410, "Expired", "the continue token has expired"));
        server.put(VOLUMES, list("PersistentVolumeList", "", volume("pv-1") + "," + volume("pv-2")));

        assertThat(remains.of(Set.of("a")).volumes())
                .extracting(Remains.Volume::name)
                .containsExactly("pv-1", "pv-2");
    }

    @Test
    void what_cannot_be_known_is_not_taken_for_nothing() {
        assertThatThrownBy(() -> remains.of(Set.of("a"))).hasMessageContaining("FL-KUBE-003");

        server.fault(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        assertThatThrownBy(() -> remains.of(Set.of("a")))
                .hasMessageContaining("FL-KUBE-002 listing PersistentVolumes was refused")
                .hasMessageContaining("let its role allow this");

        server.put(VOLUMES, list("PersistentVolumeList", "", ""));
        server.put(SNAPSHOTS, new JsonObject());
        assertThatThrownBy(() -> remains.of(Set.of("a"))).hasMessageContaining("no list");
    }

    private static String volume(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"csi\":{\"driver\":\"a\"}}}";
    }

    private static MockResponse page(String kind, String next, String items) {
        return FakeApiServer.json(200, list(kind, next, items));
    }

    private static JsonObject list(String kind, String next, String items) {
        return Json.object("{\"kind\":\"%s\",\"metadata\":{\"continue\":\"%s\"},\"items\":[%s]}"
                        .formatted(kind, next, items))
                .orElseThrow();
    }
}
