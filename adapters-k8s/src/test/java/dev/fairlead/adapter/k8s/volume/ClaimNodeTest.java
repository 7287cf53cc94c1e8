package dev.fairlead.adapter.k8s.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.http.Json;
import dev.fairlead.testkit.Failing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimNodeTest {
    private static final String PATH = "/api/v1/namespaces/team/persistentvolumeclaims/data";
    private static final Claim CLAIM = new Claim("team", "data");

    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    private Optional<Place> asked(String driver, Claim claim) {
        var settings = new WhereaboutsSettings(Set.of("other.example.org", driver), "n1", Map::of);
        return new ApiWhereabouts(server.client(), settings).ofClaim(claim, Duration.ofSeconds(30));
    }

    private Optional<Place> asked() {
        return asked("kubevirt.io.hostpath-provisioner", CLAIM);
    }

    private void annotated(String annotations) {
        server.put(
                PATH,
                Json.object("{\"metadata\": {\"name\": \"data\", \"annotations\": " + annotations + "}}")
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubevirt.io.hostpath-provisioner", "hostpath.csi.kubevirt.io"})
    void a_claim_for_kubevirts_driver_says_by_an_annotation_on_which_node_its_volume_is(String driver) {
        annotated("{\"kubevirt.io/provisionOnNode\": \"n2.example.org\"}");
        assertThat(asked(driver, CLAIM))
                .contains(new Place.Elsewhere(
                        Optional.of("n2.example.org"), "its annotation kubevirt.io/provisionOnNode is n2.example.org"));

        annotated("{\"kubevirt.io/provisionOnNode\": \"n1\"}");
        assertThat(asked(driver, CLAIM)).contains(Place.NOWHERE_ELSE);
        assertThat(server.seen()).containsOnly("GET " + PATH).hasSize(2);
    }

    @Test
    void a_claim_without_it_or_that_is_gone_names_no_node() {
        assertThat(asked()).isEmpty();
        annotated("{\"volume.kubernetes.io/selected-node\": \"n2\"}");
        assertThat(asked()).isEmpty();
        annotated("null");
        assertThat(asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "N2", "n2/../n1", "-", " n2", "n2\\n"})
    void what_can_be_no_node_is_refused_with_the_claim_and_the_annotation(String node) {
        annotated("{\"kubevirt.io/provisionOnNode\": \"" + node + "\"}");

        Failing.with(Failure.InvalidRequest.class, this::asked);
        assertThatThrownBy(this::asked)
                .hasMessageContaining("annotation kubevirt.io/provisionOnNode of claim team/data: is '")
                .hasMessageNotContaining("\n");
    }

    @Test
    void no_claim_is_read_by_a_driver_of_another_name_or_by_a_name_that_can_be_none() {
        annotated("{\"kubevirt.io/provisionOnNode\": \"n2\"}");

        assertThat(asked("local.example.org", CLAIM)).isEmpty();
        assertThat(asked("hostpath.csi.kubevirt.io", new Claim("team/../team", "data")))
                .isEmpty();
        assertThat(asked("hostpath.csi.kubevirt.io", new Claim("team", "../team/data")))
                .isEmpty();
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void a_claim_that_cannot_be_read_is_no_claim_that_names_none() {
        server.outage(FakeApiServer.html(503));
        var settings = new WhereaboutsSettings(Set.of("hostpath.csi.kubevirt.io"), "n1", Map::of);
        Failing.with(
                Failure.ClusterUnavailable.class,
                () -> new ApiWhereabouts(server.client(), settings).ofClaim(CLAIM, Duration.ofMillis(300)));

        server.outage(FakeApiServer.status(403, "Forbidden", "no"));
        Failing.with(Failure.ClusterRefused.class, this::asked);
    }
}
