package dev.fairlead.adapter.k8s.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimBindingTest {
    private static final String CLAIMS = "/api/v1/namespaces/team/persistentvolumeclaims/";
    private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses/";
    private static final Claim CLAIM = new Claim("team", "data");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.plain();
    private final ApiClient client = server.client();
    private final AtomicLong clock = new AtomicLong(-5);
    private final ClaimBinding binding = new ClaimBinding(clock::get);

    @AfterEach
    void close() {
        server.close();
    }

    private void put(String path, String json) {
        server.put(path, Json.object(json).orElseThrow());
    }

    private void classed(String mode) {
        put(CLAIMS + "data", "{\"spec\": {\"storageClassName\": \"fast\"}}");
        put(CLASSES + "fast", "{\"volumeBindingMode\": " + mode + "}");
    }

    private Optional<String> asked() {
        return binding.atOnce(CLAIM, ObjectSearch.within(PATIENCE, client, "asking"));
    }

    private ApiWhereabouts whereabouts() {
        return new ApiWhereabouts(client, new WhereaboutsSettings(Set.of("local.example.org"), "n1", Map::of));
    }

    @Test
    void a_claim_binds_at_once_if_its_class_says_so() {
        classed("\"Immediate\"");

        assertThat(asked()).contains("fast");
        assertThat(server.seen()).containsExactly("GET " + CLAIMS + "data", "GET " + CLASSES + "fast");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"WaitForFirstConsumer\"", "null", "7", "{}"})
    void it_does_not_if_its_class_says_anything_else(String mode) {
        classed(mode);

        assertThat(asked()).isEmpty();
    }

    @Test
    void nor_if_its_class_names_the_nodes() {
        put(CLAIMS + "data", "{\"spec\": {\"storageClassName\": \"fast\"}}");
        put(
                CLASSES + "fast",
                "{\"volumeBindingMode\": \"Immediate\", \"allowedTopologies\": [{\"matchLabelExpressions\":"
                        + " [{\"key\": \"kubernetes.io/hostname\", \"values\": [\"n1\"]}]}]}");

        assertThat(asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "{}"})
    void no_nodes_are_none_that_were_named(String topologies) {
        put(CLAIMS + "data", "{\"spec\": {\"storageClassName\": \"fast\"}}");
        put(CLASSES + "fast", "{\"volumeBindingMode\": \"Immediate\", \"allowedTopologies\": " + topologies + "}");

        assertThat(asked()).contains("fast");
    }

    @Test
    void nor_if_one_of_both_is_not_there() {
        assertThat(asked()).isEmpty();
        put(CLAIMS + "data", "{\"spec\": {}}");
        assertThat(asked()).isEmpty();
        put(CLAIMS + "data", "{\"spec\": {\"storageClassName\": \"../../../api/v1/secrets\"}}");
        assertThat(asked()).isEmpty();
        put(CLAIMS + "data", "{\"spec\": {\"storageClassName\": \"gone\"}}");
        assertThat(asked()).isEmpty();
        assertThat(server.seen()).noneMatch(it -> it.contains("secrets")).endsWith("GET " + CLASSES + "gone");
    }

    @Test
    void the_annotation_of_old_claims_counts_before_the_field() {
        put(CLASSES + "fast", "{\"volumeBindingMode\": \"WaitForFirstConsumer\"}");
        put(CLASSES + "old", "{\"volumeBindingMode\": \"Immediate\"}");
        put(
                CLAIMS + "data",
                "{\"metadata\": {\"annotations\": {\"volume.beta.kubernetes.io/storage-class\": \"old\"}},"
                        + "\"spec\": {\"storageClassName\": \"fast\"}}");

        assertThat(asked()).contains("old");
    }

    @Test
    void a_class_is_read_once_a_minute() {
        classed("\"Immediate\"");
        var _ = asked();
        classed("\"WaitForFirstConsumer\"");

        clock.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(asked()).contains("fast");
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(asked()).isEmpty();
        assertThat(server.seen().stream().filter(it -> it.contains("storageclasses")))
                .hasSize(2);
    }

    @Test
    void the_claim_is_not_asked_for_by_a_name_that_can_be_none() {
        assertThat(whereabouts().boundAtOnce(new Claim("team/../team", "data"), PATIENCE))
                .isEmpty();
        assertThat(whereabouts().boundAtOnce(new Claim("team", "../team/data"), PATIENCE))
                .isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void a_class_that_may_not_be_read_or_is_not_told_in_time_is_none_that_binds_at_once() {
        classed("\"Immediate\"");
        assertThat(whereabouts().boundAtOnce(CLAIM, PATIENCE)).contains("fast");

        server.refuse("GET " + CLASSES, FakeApiServer.status(403, "Forbidden", "no"));
        assertThat(whereabouts().boundAtOnce(CLAIM, PATIENCE)).isEmpty();
        server.outage(FakeApiServer.html(503));
        assertThat(whereabouts().boundAtOnce(CLAIM, Duration.ofMillis(300))).isEmpty();
        long begun = System.nanoTime();
        assertThat(whereabouts().boundAtOnce(CLAIM, PATIENCE)).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(9));
    }
}
