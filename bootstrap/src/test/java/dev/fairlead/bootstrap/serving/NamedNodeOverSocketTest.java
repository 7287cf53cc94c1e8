package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims that name the node of their volume, and a driver with the name of kubevirt's. */
class NamedNodeOverSocketTest {
    private static final String KUBEVIRT = "kubevirt.io.hostpath-provisioner";
    private static final Map<String, String> CLAIMED =
            Map.of("csi.storage.k8s.io/pvc/name", "data", "csi.storage.k8s.io/pvc/namespace", "a");
    private static final String CLAIM = "/api/v1/namespaces/a/persistentvolumeclaims/data";

    @TempDir
    Path folder = Path.of("/nonexistent");

    private Optional<FakeCluster> api = Optional.empty();

    @BeforeEach
    void makePool() throws Exception {
        Files.createDirectories(folder.resolve("pool"));
    }

    @AfterEach
    void end() {
        api.ifPresent(FakeCluster::close);
    }

    private RunningDriver driver(String name, FakeCluster cluster) throws Exception {
        api = Optional.of(cluster);
        return new RunningDriver(folder)
                .main("""
                    driver: local-pool
                    local-pool: {pools: [{name: legacy, path: "@DIR@/pool", kind: directory}]}
                    fairlead: {baseFolder: create}
                    """)
                .env("CSI_NODE_ID", "n1")
                .env("KUBECONFIG", cluster.access(folder).toString())
                .option("--kubernetes-sources")
                .named(name)
                .start();
    }

    private static FakeCluster naming(String node) throws Exception {
        return new FakeCluster()
                .with(
                        CLAIM,
                        "{\"metadata\":{\"name\":\"data\",\"annotations\":{\"kubevirt.io/provisionOnNode\":\"" + node
                                + "\"}}}");
    }

    private static Volume create(RunningDriver driver, String... place) {
        var request = RunningDriver.volume("pvc-1", CLAIMED);
        if (place.length > 0) {
            Topology term = RunningDriver.term(place);
            request.setAccessibilityRequirements(
                    TopologyRequirement.newBuilder().addRequisite(term).addPreferred(term));
        }
        return driver.controller().createVolume(request.build()).getVolume();
    }

    @Test
    void the_volume_of_a_claim_that_names_this_node_is_made_here_with_either_binding_mode() throws Exception {
        try (RunningDriver driver = driver(KUBEVIRT, naming("n1"))) {
            Volume made = create(driver);

            assertThat(made.getAccessibleTopologyList()).containsExactly(RunningDriver.term("node", "n1"));
            assertThat(folder.resolve("pool/v/pvc-1")).isDirectory();
            assertThat(create(driver, "node", "n1")).isEqualTo(made);
        }
    }

    @Test
    void the_volume_of_a_claim_that_names_another_node_is_left_to_that_one() throws Exception {
        try (RunningDriver driver = driver(KUBEVIRT, naming("n2"))) {
            assertThatThrownBy(() -> create(driver, "node", "n1"))
                    .hasMessageContaining(
                            "RESOURCE_EXHAUSTED: FL-TOPO-004 the volume of claim a/data belongs on another"
                                    + " node: its annotation kubevirt.io/provisionOnNode is n2;");
            assertThatThrownBy(() -> create(driver)).hasMessageContaining("FL-TOPO-004");
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_claim_that_is_not_read_or_names_no_node_has_no_volume() throws Exception {
        FakeCluster silent = new FakeCluster().with(CLAIM, FakeCluster.answering(503, "busy"));
        try (RunningDriver driver = driver(KUBEVIRT, silent)) {
            assertThatThrownBy(() -> create(driver, "node", "n1"))
                    .hasMessageContaining("UNAVAILABLE: FL-KUBE-001 reading the claim a/data failed");
        }
        silent.close();
        try (RunningDriver driver = driver(KUBEVIRT, naming("N/1"))) {
            assertThatThrownBy(() -> create(driver, "node", "n1"))
                    .hasMessageContaining("INVALID_ARGUMENT: FL-REQ-001 annotation kubevirt.io/provisionOnNode");
        }
        assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
    }

    private static FakeCluster classed(String mode) throws Exception {
        return new FakeCluster()
                .with(CLAIM, "{\"metadata\":{\"name\":\"data\"},\"spec\":{\"storageClassName\":\"fast\"}}")
                .with(
                        "/apis/storage.k8s.io/v1/storageclasses/fast",
                        "{\"metadata\":{\"name\":\"fast\"},\"volumeBindingMode\":\"" + mode + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {KUBEVIRT, "test.fairlead.dev"})
    void a_claim_that_did_not_wait_for_its_pod_is_refused_on_the_node_that_its_provisioner_guessed(String name)
            throws Exception {
        try (RunningDriver driver = driver(name, classed("Immediate"))) {
            assertThatThrownBy(() -> create(driver, "node", "n1"))
                    .hasMessage(
                            "INVALID_ARGUMENT: FL-TOPO-005 a volume of a node's own disks is not made for claim a/data"
                                    + " before its pod has a node: its StorageClass fast has volumeBindingMode: Immediate; use"
                                    + " one with WaitForFirstConsumer");
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_claim_that_waited_and_a_volume_that_is_there_are_answered() throws Exception {
        Volume made;
        try (RunningDriver driver = driver(KUBEVIRT, classed("WaitForFirstConsumer"))) {
            made = create(driver, "node", "n1");
        }
        api.ifPresent(FakeCluster::close);
        try (RunningDriver driver = driver(KUBEVIRT, classed("Immediate"))) {
            assertThat(create(driver, "node", "n1")).isEqualTo(made);
        }
    }

    @Test
    void a_driver_of_another_name_reads_no_node_of_a_claim() throws Exception {
        try (RunningDriver driver = driver("test.fairlead.dev", naming("n2"))) {
            assertThatThrownBy(() -> create(driver)).hasMessageContaining("WaitForFirstConsumer");
            assertThat(create(driver, "node", "n1").getVolumeId()).isEqualTo("pvc-1");
        }
    }
}
