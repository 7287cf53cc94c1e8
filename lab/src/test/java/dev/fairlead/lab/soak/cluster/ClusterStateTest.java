package dev.fairlead.lab.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterStateTest {
    private static final String PODS = """
            {"kind": "PodList", "items": [
              {"metadata": {"name": "a"}, "status": {"phase": "Running", "containerStatuses": [{"ready": true, "restartCount": 2}]}},
              {"metadata": {"name": "b"}, "status": {"phase": "Running", "containerStatuses": [{"ready": false}]}},
              {"metadata": {"name": "c"}, "status": {"phase": "Pending"}}]}
            """;
    private static final String CLAIMS = """
            {"kind": "PersistentVolumeClaimList", "items": [
              {"metadata": {"name": "data"}, "spec": {"volumeName": "pvc-1"}, "status": {"phase": "Bound"}},
              {"metadata": {"name": "late"}, "spec": {}, "status": {"phase": "Pending"}}]}
            """;
    private static final String VOLUMES = """
            {"kind": "PersistentVolumeList", "items": [
              {"metadata": {"name": "pvc-1"}, "spec": {"csi": {"driver": "ours"}, "capacity": {"storage": "64Mi"}}, "status": {"phase": "Bound"}},
              {"metadata": {"name": "pvc-2"}, "spec": {"csi": {"driver": "theirs"}, "capacity": {"storage": "1Gi"}}, "status": {"phase": "Bound"}}]}
            """;

    private final ClusterState state = ClusterState.of(PODS, CLAIMS, VOLUMES, "ours");

    @Test
    void a_pod_runs_once_its_container_is_ready() {
        assertThat(state.runs("a")).isTrue();
        assertThat(state.runs("b")).isFalse();
        assertThat(state.runs("c")).isFalse();
        assertThat(state.runs("none")).isFalse();
    }

    @Test
    void restarts_of_a_pod_are_counted() {
        assertThat(state.restartsOf("a")).isEqualTo(2);
    }

    @Test
    void a_claim_is_bound_once_its_volume_is_there() {
        ClusterState earlier =
                ClusterState.of(PODS, CLAIMS, "{\"kind\": \"PersistentVolumeList\", \"items\": []}", "ours");

        assertThat(state.bound("data")).isTrue();
        assertThat(state.bound("late")).isFalse();
        assertThat(earlier.bound("data")).isFalse();
    }

    @Test
    void volumes_are_those_of_the_driver() {
        assertThat(state.volumes()).containsOnlyKeys("pvc-1");
    }

    @Test
    void a_volume_holds_what_it_has() {
        assertThat(state.holds("pvc-1", 64L << 20)).isTrue();
        assertThat(state.holds("pvc-1", (64L << 20) + 1)).isFalse();
    }

    @Test
    void a_claim_is_gone_once_neither_it_nor_its_volume_is_there() {
        assertThat(state.gone("other", "pvc-1")).isFalse();
        assertThat(state.gone("data", "pvc-3")).isFalse();
        assertThat(state.gone("other", "pvc-3")).isTrue();
    }

    /** An error of the API server is no empty list. */
    @Test
    void an_answer_that_is_no_list_is_refused() {
        String answer = "{\"kind\": \"Status\", \"status\": \"Failure\", \"code\": 500}";

        assertThatThrownBy(() -> ClusterState.of(answer, CLAIMS, VOLUMES, "ours"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Failure");
    }

    @ParameterizedTest
    @CsvSource({"134217728, 134217728", "64Mi, 67108864", "1Gi, 1073741824", "5k, 5000", "0, 0"})
    void sizes_are_read_as_kubernetes_writes_them(String text, long bytes) {
        assertThat(Quantity.bytes(text)).isEqualTo(bytes);
    }

    @Test
    void another_form_of_size_is_refused() {
        assertThatThrownBy(() -> Quantity.bytes("64 MB")).hasMessageContaining("64 MB");
    }
}
