package dev.fairlead.adapter.k8s.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiNodeOutlookTest {
    private final FakeApiServer server = FakeApiServer.plain();
    private final ApiNodeOutlook outlook = new ApiNodeOutlook(server.client(), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        server.close();
    }

    private Optional<String> leaving(String node) {
        server.put("/api/v1/nodes/n1", Json.object(node).orElseThrow());
        return outlook.leaving("n1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Node\"}",
                "{\"spec\":{\"unschedulable\":false,\"taints\":[{\"key\":\"node.kubernetes.io/not-ready\"}]}}",
                "{\"spec\":{\"taints\":[{\"key\":\"node.kubernetes.io/unreachable\"},{\"key\":\"mine\"}]}}",
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"message\":\"kubelet is posting ready status\"},"
                        + "{\"type\":\"Other\",\"message\":\"node is shutting down\"}]}}"
            })
    void a_node_that_stays_is_not_leaving(String node) {
        assertThat(leaving(node)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'spec':{'unschedulable':true}} | it is cordoned",
                "{'spec':{'taints':[{'key':'a'},{'key':'ToBeDeletedByClusterAutoscaler'}]}}"
                        + " | it has the taint ToBeDeletedByClusterAutoscaler",
                "{'spec':{'taints':[{'key':'karpenter.sh/disrupted'}]}} | it has the taint karpenter.sh/disrupted",
                "{'status':{'conditions':[{'type':'Ready','message':'node is shutting down'}]}}"
                        + " | it is shutting down",
                "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}} | its Node object is being deleted"
            },
            quoteCharacter = '`')
    void one_that_is_emptied_says_why(String node, String why) {
        assertThat(leaving(node.replace('\'', '"'))).contains(why);
    }

    @Test
    void one_that_is_gone_is_leaving() {
        assertThat(outlook.leaving("n1")).contains("its Node object is gone");
    }

    @Test
    void one_that_nobody_tells_of_is_not_known() {
        server.fault(FakeApiServer.status(403, "Forbidden", "no"));

        assertThatThrownBy(() -> outlook.leaving("n1")).hasMessageContaining("FL-KUBE-002");
    }
}
