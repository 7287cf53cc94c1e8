package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The capacity that is published keeps pods away from full connections: a file system of 64 MiB for each of three
 * zones, filled by pods ({@code lab/deploy small}).
 */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CapacityOnClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String DEPLOYMENT = "small";
    private static final String FILL = "dd if=/dev/zero of=/data/fill bs=1M count=48 && sync";

    private final KubeCluster cluster;
    private final Namespace space;
    private final SmallFileSystems fileSystems;

    CapacityOnClusterTest(KubeCluster cluster) throws IOException {
        this.cluster = cluster;
        this.space = new Namespace(cluster, "capacity-test");
        this.fileSystems = SmallFileSystems.mount(cluster);
    }

    @BeforeAll
    void install() throws IOException {
        cluster.deploy(Duration.ofMinutes(8), DEPLOYMENT);
    }

    @AfterAll
    void tidy() throws IOException {
        cluster.undeploy(LONG, DEPLOYMENT);
        fileSystems.unmount();
    }

    @BeforeEach
    void make() throws IOException {
        space.make();
    }

    @AfterEach
    void remove() throws IOException {
        space.remove();
        space.eventually(
                LONG,
                () -> assertThat(room())
                        .hasSize(3)
                        .allSatisfy((_, mebibytes) -> assertThat(mebibytes).isGreaterThan(48)));
    }

    @Test
    void a_pod_that_fits_on_any_node_runs_where_its_volume_has_room() throws IOException {
        fill("zone-1");
        fill("zone-2");

        for (String name : new String[] {"one", "two", "three", "four"}) {
            space.apply(Manifests.claim(name, "small"));
            space.apply(Manifests.podAnywhere(name, name, "true"));
            space.ready(name);

            assertThat(zone(name)).isEqualTo("zone-3");
            // No other zone was tried: the scheduler knew.
            assertThat(space.events(name)).doesNotContain("FL-");
        }
    }

    @Test
    void a_claim_that_nothing_has_room_for_says_so_and_is_served_when_room_is_made() throws IOException {
        fill("zone-1");
        fill("zone-2");
        fill("zone-3");
        space.apply(Manifests.claim("late", "small", "32Mi"));
        space.apply(Manifests.podAnywhere("late", "late", "true"));
        space.apply(Manifests.claim("later", "small-immediate", "32Mi"));
        space.eventually(LONG, () -> assertThat(space.events("late")).contains("did not have enough free storage"));
        space.eventually(LONG, () -> assertThat(space.events("later")).contains("are wanted, there are"));
        assertThat(space.names("pvc", "{.status.phase}"))
                .containsEntry("late", "Pending")
                .containsEntry("later", "Pending");

        space.kubectl(LONG, "delete", "pod/fill-zone-2", "pvc/fill-zone-2", "--grace-period=0", "--timeout=60s");

        space.ready("late");
        space.kubectl(LONG, "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/later", "--timeout=90s");
        assertThat(zone("late")).isEqualTo("zone-2");
        assertThat(zone("later")).isEqualTo("zone-2");
    }

    /** Writes 48 of the 64 MiB, and waits until it is published. */
    private void fill(String zone) throws IOException {
        String name = "fill-" + zone;
        space.apply(Manifests.claim(name, "small"));
        space.apply(Manifests.podIn(ZONE, zone, name, name, FILL));
        space.ready(name);
        space.eventually(LONG, () -> assertThat(room().get(zone)).isBetween(0L, 15L));
    }

    /** The zone of a claim's volume, of which its pod, where it has one, is too. */
    private String zone(String claim) throws IOException {
        String volume = space.kubectl(SOON, "get", "pvc", claim, "-o", "jsonpath={.spec.volumeName}");
        return cluster.kubectl(SOON, "get", "pv", volume, "-o", "jsonpath=" + Manifests.AFFINITY_VALUES);
    }

    /** What is published for class small: free MiB by zone. */
    private Map<String, Long> room() throws IOException {
        Map<String, Long> room = new TreeMap<>();
        cluster.kubectl(
                        SOON,
                        "get",
                        "csistoragecapacities",
                        "--namespace=fairlead-" + DEPLOYMENT,
                        "-o",
                        "jsonpath={range .items[?(@.storageClassName==\"small\")]}"
                                + "{.nodeTopology.matchLabels.topology\\.fairlead\\.dev/zone}={.maximumVolumeSize}{'\\n'}{end}")
                .lines()
                .forEach(line -> room.put(line.replaceFirst("=.*", ""), mebibytes(line.replaceFirst(".*=", ""))));
        return room;
    }

    private static long mebibytes(String quantity) {
        long number = Long.parseLong(quantity.replaceFirst("[A-Za-z]*$", ""));
        return switch (quantity.replaceFirst("^[0-9]*", "")) {
            case "" -> number >> 20;
            case "Ki" -> number >> 10;
            case "Mi" -> number;
            case "Gi" -> number << 10;
            default -> throw new IllegalArgumentException(quantity);
        };
    }
}
