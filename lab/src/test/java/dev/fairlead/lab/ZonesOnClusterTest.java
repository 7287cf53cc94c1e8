package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Topology with real nodes, kubelets, sidecars and scheduler: four nodes in three zones, a connection for each zone
 * whose folder only that zone's nodes have, one central controller, installed by the chart ({@code lab/deploy zones}).
 */
@OnCluster
class ZonesOnClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(4);

    private final Namespace space;
    private final KubeCluster cluster;

    ZonesOnClusterTest(KubeCluster cluster) {
        this.cluster = cluster;
        this.space = new Namespace(cluster, "zones-test");
    }

    @BeforeAll
    static void install(KubeCluster cluster) throws IOException {
        cluster.deploy(Duration.ofMinutes(8), "zones");
    }

    @BeforeEach
    void make() throws IOException {
        space.make();
    }

    @AfterEach
    void remove() throws IOException {
        space.remove();
    }

    @Test
    void spreads_one_class_over_three_connections_and_ties_no_volume_to_one_node_of_its_zone() throws IOException {
        space.apply(Manifests.spread("spread", 6, "zones"));
        space.kubectl(LONG, "rollout", "status", "statefulset/spread", "--timeout=200s");

        Map<String, String> zoneOfNode = zones("nodes", "{.metadata.labels.topology\\.kubernetes\\.io/zone}");
        Map<String, String> zoneOfVolume = zones("pv", Manifests.AFFINITY_VALUES);
        Map<String, String> keys = zones("pv", Manifests.AFFINITY_KEYS);
        Map<String, String> nodeOfPod = space.names("pods", "{.spec.nodeName}");
        Map<String, String> volumeOfClaim = space.names("pvc", "{.spec.volumeName}");
        Map<String, String> zoneOfPod = new TreeMap<>();
        nodeOfPod.forEach((pod, node) -> zoneOfPod.put(pod, zoneOfNode.getOrDefault(node, "?")));

        assertThat(zoneOfPod).hasSize(6);
        assertThat(new TreeSet<>(zoneOfPod.values())).containsExactly("zone-1", "zone-2", "zone-3");
        volumeOfClaim.forEach((claim, volume) -> {
            assertThat(zoneOfVolume.get(volume)).isEqualTo(zoneOfPod.get(claim.substring("data-".length())));
            assertThat(keys.get(volume)).isEqualTo("topology.fairlead.dev/zone");
        });
    }

    @Test
    void lets_a_pod_move_to_the_other_node_of_its_zone_with_its_data() throws IOException {
        space.apply(Manifests.claim("moving", "zones"));
        space.apply(Manifests.pod("first", "moving", "node-1", "echo kept >/data/word; sync"));
        space.ready("first");
        space.kubectl(LONG, "delete", "pod/first", "--grace-period=0", "--timeout=60s");

        space.apply(Manifests.pod("second", "moving", "node-4", "true"));
        space.ready("second");

        assertThat(space.kubectl(SOON, "exec", "second", "--", "cat", "/data/word"))
                .isEqualTo("kept\n");
    }

    @Test
    void says_why_a_claim_waits_and_serves_it_once_a_connection_is_added_without_a_restart() throws IOException {
        Map<String, String> pods = restarts();
        space.apply(Manifests.storageClass("not-yet", "Immediate", "connection: later"));
        space.apply(Manifests.claim("patient", "not-yet"));
        space.eventually(LONG, () -> assertThat(space.events("patient")).contains("later"));

        cluster.connection("later", """
                driver: local-hostpath
                local-hostpath: {shareBasePath: /srv/zones/zone-2/later, controllerBasePath: /srv/all-zones/zone-2/later}
                fairlead: {baseFolder: create}
                proxy: {perDriver: {topology: [{requirements: {zone: zone-2}}]}}
                """);
        try {
            space.kubectl(LONG, "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/patient", "--timeout=200s");
            assertThat(zones("pv", Manifests.AFFINITY_VALUES).get(volume("patient")))
                    .isEqualTo("zone-2");
            assertThat(restarts()).isEqualTo(pods);
            space.removeClaims();
        } finally {
            cluster.connection("later", "");
        }
    }

    @Test
    void names_the_nearest_parameter_in_the_event_of_a_claim_whose_class_misspells_one() throws IOException {
        space.apply(Manifests.storageClass("misspelt", "Immediate", "conection: zone-1"));
        space.apply(Manifests.claim("misspelt", "misspelt"));

        space.eventually(
                LONG,
                () -> assertThat(space.events("misspelt")).contains("conection").contains("connection"));
    }

    @Test
    void goes_on_serving_the_others_while_one_connection_is_broken_and_says_so_on_the_pod() throws IOException {
        cluster.connection("broken", "driver: local-hostpth\n");
        try {
            space.eventually(
                    LONG,
                    () -> assertThat(cluster.kubectl(SOON, "-n", KubeCluster.RELEASE, "get", "events"))
                            .contains("broken")
                            .contains("local-hostpath"));
            space.apply(Manifests.claim("served", "zones-immediate"));
            space.kubectl(LONG, "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/served", "--timeout=60s");
        } finally {
            cluster.connection("broken", "");
        }
    }

    @Test
    void serves_a_node_that_came_later() throws IOException {
        cluster.lab(LONG, "node", "add", "late", "zone-3");
        try {
            space.apply(Manifests.claim("late", "zones"));
            space.apply(Manifests.pod("late", "late", "late", "true"));
            space.ready("late");

            assertThat(zones("pv", Manifests.AFFINITY_VALUES).get(volume("late")))
                    .isEqualTo("zone-3");
            space.kubectl(LONG, "delete", "pod/late", "--grace-period=0", "--timeout=60s");
        } finally {
            cluster.lab(LONG, "node", "remove", "late");
        }
    }

    private String volume(String claim) throws IOException {
        return space.kubectl(SOON, "get", "pvc", claim, "-o", "jsonpath={.spec.volumeName}");
    }

    private Map<String, String> zones(String kind, String path) throws IOException {
        return space.names(kind, path);
    }

    /** The pods of the release and how often their containers were started anew. */
    private Map<String, String> restarts() throws IOException {
        String all = cluster.kubectl(
                SOON,
                "-n",
                KubeCluster.RELEASE,
                "get",
                "pods",
                "-o",
                "jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[*].restartCount}{'\\n'}{end}");
        Map<String, String> restarts = new TreeMap<>();
        List<String> lines = Arrays.asList(all.strip().split("\n", -1));
        lines.forEach(line -> restarts.put(line.replaceFirst("=.*", ""), line.replaceFirst(".*=", "")));
        return restarts;
    }
}
