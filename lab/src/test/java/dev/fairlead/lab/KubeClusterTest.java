package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cluster itself, as the suites that use it expect it. */
@OnCluster
class KubeClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void has_nodes_in_zones_and_one_zone_with_two(KubeCluster cluster) throws IOException {
        List<String> zones = cluster.kubectl(
                        SOON,
                        "get",
                        "nodes",
                        "-o",
                        "jsonpath={range .items[*]}{.metadata.labels.topology\\.kubernetes\\.io/zone}{'\\n'}{end}")
                .lines()
                .toList();

        assertThat(zones).contains("zone-1", "zone-2", "zone-3").hasSizeGreaterThan(3);
    }

    @Test
    void reads_objects_as_maps(KubeCluster cluster) throws IOException {
        Map<String, Object> service = cluster.get(SOON, "service", "kubernetes");

        assertThat(service).extractingByKey("spec").hasFieldOrPropertyWithValue("clusterIP", "10.96.0.1");
    }

    @Test
    void runs_a_command_on_a_node(KubeCluster cluster) throws IOException {
        String name = cluster.onNode(SOON, "node-2", "uname", "-n");

        assertThat(name.strip()).isEqualTo("node-2");
    }

    @Test
    void enforces_the_level_of_pod_security_of_a_namespace(KubeCluster cluster) throws IOException {
        cluster.apply(SOON, """
                apiVersion: v1
                kind: Namespace
                metadata: {name: restricted, labels: {pod-security.kubernetes.io/enforce: restricted}}
                """);

        assertThatThrownBy(() -> cluster.kubectl(
                        SOON, "run", "root", "--namespace=restricted", "--privileged", "--image=lab.test/pause:1"))
                .hasMessageContaining("violates PodSecurity");
        cluster.kubectl(SOON, "delete", "namespace", "restricted", "--wait=false");
    }

    @Test
    void says_what_kubectl_said(KubeCluster cluster) {
        assertThatThrownBy(() -> cluster.kubectl(SOON, "get", "nothing-of-the-kind"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing-of-the-kind");
    }

    @Test
    void ends_what_takes_too_long(KubeCluster cluster) {
        assertThatThrownBy(() -> cluster.onNode(Duration.ofMillis(300), "node-1", "sleep", "60"))
                .hasMessageContaining("not done after PT0.3S");
    }
}
