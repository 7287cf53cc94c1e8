package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterFactsTest {
    @Test
    void parameters_of_a_class_are_only_those_of_its_own_provisioner() {
        SimulatedApi api = new SimulatedApi();
        api.add("apis/storage.k8s.io/v1/storageclasses/fast", """
                {"kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "org.example.csi",
                 "parameters": {"a": "b"}}""");
        ClusterFacts facts = new ClusterFacts(api, Duration.ofSeconds(1));

        assertThat(facts.storageClass("fast"))
                .hasValueSatisfying(
                        one -> assertThat(one.parametersOf("org.example.csi")).contains(Map.of("a", "b")))
                .hasValueSatisfying(
                        one -> assertThat(one.parametersOf("org.other.csi")).isEmpty());
    }
}
