package dev.fairlead.adapter.k8s.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiWhereaboutsTest {
    private static final String VOLUMES = "/api/v1/persistentvolumes/";
    private static final String CONTENTS = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents/";
    private static final String CLAIM = "/api/v1/namespaces/team/persistentvolumeclaims/data";
    private static final String UID = "01234567-89ab-cdef-0123-456789abcdef";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.plain();
    private final ApiWhereabouts whereabouts = new ApiWhereabouts(
            server.client(),
            new WhereaboutsSettings(Set.of("local.example.org"), "n1", () -> Map.of("example.org/node", "n1")));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_volume_is_where_its_object_says_and_that_object_has_its_name() {
        volume("pvc-1", "local.example.org", "v:disks/pvc-1", "n2");

        assertThat(whereabouts.ofVolume("v:disks/pvc-1", LONG))
                .isEqualTo(new Place.Elsewhere(Optional.of("n2"), "PersistentVolume pvc-1 is of the node n2"));
        assertThat(server.seen()).containsExactly("GET " + VOLUMES + "pvc-1");
    }

    @Test
    void a_volume_whose_object_has_another_name_is_found_among_all_of_them_page_by_page() {
        IntStream.range(0, 120)
                .forEach(i -> volume("a-%03d".formatted(i), "local.example.org", "v:disks/a-" + i, "n3"));
        volume("taken-over", "local.example.org", "v:disks/pvc-1", "n2");

        assertThat(whereabouts.ofVolume("v:disks/pvc-1", LONG))
                .isEqualTo(new Place.Elsewhere(Optional.of("n2"), "PersistentVolume taken-over is of the node n2"));
        assertThat(server.seen()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"v:disks/other", "v:disks/../pvc-1", "v:disks/", "", "/", "v:disks/PVC_1", "v:disks/pvc-1?x=1"})
    void what_no_object_tells_of_is_nowhere_else(String handle) {
        volume("pvc-1", "local.example.org", "v:disks/pvc-1", "n2");

        assertThat(whereabouts.ofVolume(handle, LONG)).isEqualTo(Place.NOWHERE_ELSE);
    }

    @Test
    void a_volume_of_another_driver_is_not_ours_though_it_has_the_handle() {
        volume("pvc-1", "other.example.org", "v:disks/pvc-1", "n2");

        assertThat(whereabouts.ofVolume("v:disks/pvc-1", LONG)).isEqualTo(Place.NOWHERE_ELSE);
    }

    @Test
    void a_volume_of_this_node_or_of_all_is_nowhere_else() {
        volume("pvc-1", "local.example.org", "v:disks/pvc-1", "n1");
        put(VOLUMES + "pvc-2", """
                {"metadata": {"name": "pvc-2"}, "spec": {"csi": {"driver": "local.example.org",
                 "volumeHandle": "v:disks/pvc-2"}}}""");

        assertThat(whereabouts.ofVolume("v:disks/pvc-1", LONG)).isEqualTo(Place.NOWHERE_ELSE);
        assertThat(whereabouts.ofVolume("v:disks/pvc-2", LONG)).isEqualTo(Place.NOWHERE_ELSE);
    }

    @Test
    void a_volume_of_several_other_nodes_is_elsewhere_and_none_of_them_is_named() {
        volume("pvc-1", "local.example.org", "v:disks/pvc-1", "n2\", \"n3");

        assertThat(whereabouts.ofVolume("v:disks/pvc-1", LONG))
                .isEqualTo(new Place.Elsewhere(Optional.empty(), "PersistentVolume pvc-1 does not admit this one"));
    }

    @Test
    void a_snapshot_is_on_the_node_whose_snapshotter_manages_it() {
        content("snapcontent-" + UID, "s:disks/pvc-1-snapshot-" + UID, "n2", "v:disks/pvc-1");

        assertThat(whereabouts.ofSnapshot("s:disks/pvc-1-snapshot-" + UID, LONG))
                .isEqualTo(new Place.Elsewhere(
                        Optional.of("n2"), "VolumeSnapshotContent snapcontent-" + UID + " is managed by the node n2"));
        assertThat(server.seen()).containsExactly("GET " + CONTENTS + "snapcontent-" + UID);
    }

    @Test
    void a_snapshot_that_this_node_manages_is_nowhere_else() {
        content("mine", "s:disks/pvc-1-daily", "n1", "v:disks/pvc-1");

        assertThat(whereabouts.ofSnapshot("s:disks/pvc-1-daily", LONG)).isEqualTo(Place.NOWHERE_ELSE);
    }

    @Test
    void a_snapshot_that_nobody_manages_is_where_its_volume_is() {
        content("by-hand", "s:disks/pvc-1-daily", "", "v:disks/pvc-1");
        volume("pvc-1", "local.example.org", "v:disks/pvc-1", "n2");

        assertThat(whereabouts.ofSnapshot("s:disks/pvc-1-daily", LONG))
                .isEqualTo(new Place.Elsewhere(Optional.of("n2"), "PersistentVolume pvc-1 is of the node n2"));
    }

    @Test
    void a_snapshot_of_which_nobody_says_where_it_is_still_exists() {
        server.know("/api/v1/persistentvolumes");
        content("by-hand", "s:disks/pvc-1-daily", "", "v:disks/pvc-1");

        assertThat(whereabouts.ofSnapshot("s:disks/pvc-1-daily", LONG))
                .isInstanceOfSatisfying(Place.Elsewhere.class, place -> {
                    assertThat(place.node()).isEmpty();
                    assertThat(place.witness()).contains("by-hand", "managed-by");
                });
    }

    /** That server says so in words of its own, as a gateway would that knows nothing of it. */
    @Test
    void a_cluster_that_knows_no_snapshots_is_no_witness_that_there_is_none() {
        server.outage(FakeApiServer.html(404));

        assertThatThrownBy(() -> whereabouts.ofSnapshot("s:disks/pvc-1-snapshot-" + UID, LONG))
                .hasMessageContaining("FL-KUBE-002")
                .hasMessageContaining("which is no answer of the API");
    }

    @Test
    void a_snapshot_that_no_object_tells_of_is_nowhere_else() {
        content("another", "s:disks/pvc-1-other", "n2", "v:disks/pvc-1");

        assertThat(whereabouts.ofSnapshot("s:disks/pvc-1-snapshot-" + UID, LONG))
                .isEqualTo(Place.NOWHERE_ELSE);
    }

    @Test
    void a_server_that_does_not_answer_in_time_is_unavailable_and_a_role_that_is_missing_is_said_so() {
        server.outage(FakeApiServer.html(503));
        assertThatThrownBy(() -> whereabouts.ofVolume("v:disks/pvc-1", Duration.ofMillis(300)))
                .hasMessageMatching(
                        "FL-KUBE-001 looking for the volume v:disks/pvc-1 failed, Kubernetes is not available:"
                                + " (status 503|no answer within .*)");
        assertThatThrownBy(() -> whereabouts.ofVolume("v:disks/pvc-1", Duration.ZERO))
                .hasMessageContaining("FL-KUBE-001");

        server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        assertThatThrownBy(() -> whereabouts.ofVolume("v:disks/pvc-1", LONG))
                .hasMessageContaining("FL-KUBE-002")
                .hasMessageContaining("let its role allow this");

        server.outage(FakeApiServer.status(410, "Expired", "the continue token is too old"));
        assertThatThrownBy(() -> whereabouts.ofVolume("v:disks/PVC_1", LONG)).hasMessageContaining("FL-KUBE-001");
    }

    @Test
    void a_claim_of_this_node_is_turned_to_the_other_and_all_else_of_it_stays() {
        serving("n2", "local.example.org");
        put(CLAIM, """
                {"metadata": {"name": "data", "annotations": {"volume.kubernetes.io/selected-node": "n1", "a": "<b>"}},
                 "spec": {"resources": {"requests": {"storage": "1Gi"}}, "later": [1.50]}}""");

        assertThat(turn("n2")).isTrue();

        String turned = server.object(CLAIM).toString();
        assertThat(turned).contains("\"volume.kubernetes.io/selected-node\":\"n2\"", "\"a\":\"<b>\"", "[1.50]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"n3\"}}}",
                "{\"metadata\": {\"annotations\": {}}}",
                "{\"metadata\": {\"deletionTimestamp\": \"2026-01-01T00:00:00Z\", \"annotations\":"
                        + " {\"volume.kubernetes.io/selected-node\": \"n1\"}}}",
                "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"n1\"}},"
                        + " \"spec\": {\"volumeName\": \"pvc-9\"}}",
            })
    void a_claim_that_is_not_this_nodes_to_turn_is_left_alone(String claim) {
        serving("n2", "local.example.org");
        put(CLAIM, claim);

        assertThat(turn("n2")).isFalse();
        assertThat(server.seen()).noneMatch(request -> request.startsWith("PUT"));
    }

    @Test
    void a_claim_is_not_turned_to_a_node_that_is_gone_or_does_not_have_the_driver() {
        serving("n3", "other.example.org");
        put(CLAIM, "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"n1\"}}}");

        assertThat(turn("n2")).isFalse();
        assertThat(turn("n3")).isFalse();
        assertThat(server.seen()).noneMatch(request -> request.startsWith("PUT"));
    }

    @Test
    void a_claim_that_another_writes_or_that_may_not_be_written_is_left_to_the_scheduler() {
        serving("n2", "local.example.org");
        put(CLAIM, "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"n1\"}}}");
        server.outage(FakeApiServer.status(403, "Forbidden", "no"));
        assertThat(turn("n2")).isFalse();
        server.lift();

        assertThat(whereabouts.turn(new Claim("team/../..", "data"), "n2", LONG))
                .isFalse();
        assertThat(whereabouts.turn(new Claim("team", "../data"), "n2", LONG)).isFalse();
        assertThat(turn("n2")).isTrue();
    }

    private boolean turn(String node) {
        return whereabouts.turn(new Claim("team", "data"), node, LONG);
    }

    private void volume(String name, String driver, String handle, String node) {
        put(VOLUMES + name, """
                {"metadata": {"name": "%s"}, "spec": {"csi": {"driver": "%s", "volumeHandle": "%s"},
                 "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                   {"key": "example.org/node", "operator": "In", "values": ["%s"]},
                   {"key": "example.org/rack", "operator": "In", "values": ["r1"]}]}]}}}}""".formatted(name, driver, handle, node));
    }

    private void content(String name, String handle, String node, String source) {
        String labels = node.isEmpty() ? "" : "\"snapshot.storage.kubernetes.io/managed-by\": \"" + node + "\"";
        put(CONTENTS + name, """
                {"metadata": {"name": "%s", "labels": {%s}}, "spec": {"driver": "local.example.org",
                 "source": {"volumeHandle": "%s"}}, "status": {"snapshotHandle": "%s"}}""".formatted(name, labels, source, handle));
    }

    private void serving(String node, String driver) {
        put("/apis/storage.k8s.io/v1/csinodes/" + node, """
                {"spec": {"drivers": [{"name": "%s", "nodeID": "%s"}]}}""".formatted(driver, node));
    }

    private void put(String path, String json) {
        server.put(path, Json.object(json).orElseThrow());
    }
}
