package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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

    @Test
    void nodes_that_are_not_asked_for_any_more_are_forgotten() {
        AtomicLong now = new AtomicLong();
        ClusterFacts facts = new ClusterFacts(new SimulatedApi(), Duration.ofSeconds(1), now::get);
        for (int at = 0; at < 100; at++) facts.labels("node-" + at);
        assertThat(facts.size()).isEqualTo(100);

        now.addAndGet(Duration.ofSeconds(31).toNanos());
        facts.labels("node-new");

        assertThat(facts.size()).isEqualTo(1);
    }
}
