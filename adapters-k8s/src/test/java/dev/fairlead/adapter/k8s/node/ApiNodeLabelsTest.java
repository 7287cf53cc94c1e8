package dev.fairlead.adapter.k8s.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiNodeLabelsTest {
    private static final String PATH = "/api/v1/nodes/n1";

    private final FakeApiServer server = FakeApiServer.plain();
    private final ApiNodeLabels labels = new ApiNodeLabels(server.client(), Duration.ofSeconds(10));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_node_has_the_labels_of_its_object() {
        server.put(PATH, Json.object("""
                {"kind":"Node","metadata":{"labels":{"topology.kubernetes.io/zone":"z1","empty":"","odd":7}}}
                """).orElseThrow());

        assertThat(labels.of("n1")).isEqualTo(Map.of("topology.kubernetes.io/zone", "z1", "empty", ""));
    }

    @Test
    void a_server_that_is_still_starting_is_asked_again() {
        server.put(PATH, Json.object("{\"kind\":\"Node\"}").orElseThrow());
        server.fault(FakeApiServer.html(503)).fault(FakeApiServer.html(503));

        assertThat(labels.of("n1")).isEmpty();
        assertThat(server.seen()).hasSize(3);
    }

    @Test
    void one_that_never_answers_is_not_asked_for_ever() {
        server.outage(FakeApiServer.html(503));

        assertThatThrownBy(() -> new ApiNodeLabels(server.client(), Duration.ofSeconds(1)).of("n1"))
                .hasMessageMatching("FL-KUBE-001 reading the labels of the node n1 failed, Kubernetes is not available:"
                        + " (status 503|no answer within .*)");
    }

    @Test
    void a_node_that_is_not_there_is_a_mistake() {
        assertThatThrownBy(() -> labels.of("n1"))
                .hasMessage("FL-KUBE-002 reading the labels of the node n1 was refused by Kubernetes: status 404,"
                        + " '/api/v1/nodes/n1 not found'");
    }

    @Test
    void a_role_that_is_missing_is_said_so() {
        server.fault(FakeApiServer.status(403, "Forbidden", "nodes \"n1\" is forbidden: User \"x\" cannot get"));

        assertThatThrownBy(() -> labels.of("n1"))
                .hasMessageContaining("FL-KUBE-002")
                .hasMessageContaining("nodes \"n1\" is forbidden: User \"x\" cannot get")
                .hasMessageContaining("let its role allow this");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void another_object_is_not_taken_for_the_node() {
        server.put(PATH, new JsonObject());

        assertThatThrownBy(() -> labels.of("n1")).hasMessageContaining("FL-KUBE-003");
    }
}
