package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CreateSnapshotRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver with the name and the list of pools of kubevirt's hostpath-provisioner, which serves what that one made;
 * needs root.
 */
class HostpathOverSocketTest {
    private static final String MADE = "pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001";
    private static final Topology HERE = Topology.newBuilder()
            .putSegments("topology.hostpath.csi/node", "n1")
            .build();

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void makeVolume() throws Exception {
        Files.createDirectories(folder.resolve("pool").resolve(MADE));
        Files.writeString(folder.resolve("pool").resolve(MADE).resolve("file"), "precious");
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private RunningDriver driver(String name) throws Exception {
        return new RunningDriver(folder)
                .main("""
                    driver: local-pool
                    local-pool:
                      datadir: [{"name":"legacy","path":"@DIR@/pool","snapshotPath":"@DIR@/pool/snapshots","snapshotProvider":"reflink"}]
                    proxy:
                      nodeTopology: {type: node, prefix: topology.hostpath.csi}
                    """)
                .env("CSI_NODE_ID", "n1")
                .named(name)
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubevirt.io.hostpath-provisioner", "hostpath.csi.kubevirt.io"})
    void it_has_the_name_and_the_topology_that_its_volumes_have(String name) throws Exception {
        try (RunningDriver driver = driver(name)) {
            assertThat(driver.identity()
                            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                            .getName())
                    .isEqualTo(name);
            assertThat(driver.node()
                            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                            .getAccessibleTopology())
                    .isEqualTo(HERE);
            // The answer needs the pool, which is still being opened: nothing is written once the folder is removed.
            assertThat(driver.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesList())
                    .hasSize(1);
        }
    }

    @Test
    void a_volume_is_mounted_by_the_context_that_its_class_gave_it_and_snapshotted_and_deleted() throws Exception {
        Assumptions.assumeTrue(
                NodeShell.run("sh", "-c", "test $(id -u) = 0") == 0, "left out: this user may not mount");
        try (RunningDriver driver = driver("kubevirt.io.hostpath-provisioner")) {
            var listed = driver.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
            assertThat(listed.getEntriesList())
                    .singleElement()
                    .satisfies(it -> assertThat(it.getVolume().getVolumeId()).isEqualTo(MADE));
            assertThat(listed.getEntries(0).getVolume().getAccessibleTopologyList())
                    .containsExactly(HERE);
            PooledVolume volume = new PooledVolume(
                    folder,
                    Volume.newBuilder()
                            .setVolumeId(MADE)
                            .putAllVolumeContext(Map.of(
                                    "storagePool",
                                    "legacy",
                                    "storage.kubernetes.io/csiProvisionerIdentity",
                                    "1700000000000-8081-kubevirt.io.hostpath-provisioner-n1"))
                            .build(),
                    RunningDriver.mounted());
            volume.stageAndPublish(driver);
            assertThat(volume.pod().resolve("file")).hasContent("precious");
            Files.writeString(volume.pod().resolve("file"), "written");
            var snapshot = driver.controller()
                    .createSnapshot(CreateSnapshotRequest.newBuilder()
                            .setName("snapshot-1")
                            .setSourceVolumeId(MADE)
                            .build())
                    .getSnapshot();
            assertThat(snapshot.getReadyToUse()).isTrue();
            assertThat(snapshot.getSourceVolumeId()).isEqualTo(MADE);
            volume.unpublishAndUnstage(driver);
            assertThat(folder.resolve("pool").resolve(MADE).resolve("file")).hasContent("written");
            volume.delete(driver);
            assertThat(folder.resolve("pool").resolve(MADE)).doesNotExist();
        }
    }

    @Test
    void a_claim_that_is_on_no_node_yet_is_refused_with_the_reason() throws Exception {
        Map<String, String> claim =
                Map.of("csi.storage.k8s.io/pvc/name", "data", "csi.storage.k8s.io/pvc/namespace", "a");
        try (RunningDriver driver = driver("kubevirt.io.hostpath-provisioner")) {
            assertThatThrownBy(() -> driver.controller()
                            .createVolume(RunningDriver.volume("pvc-1", claim).build()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("INVALID_ARGUMENT: FL-TOPO-005")
                    .hasMessageContaining("WaitForFirstConsumer");
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
            Volume made = driver.controller()
                    .createVolume(RunningDriver.volume("pvc-1", claim)
                            .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                    .addRequisite(HERE)
                                    .addPreferred(HERE))
                            .build())
                    .getVolume();
            assertThat(made.getAccessibleTopologyList()).containsExactly(HERE);
        }
    }
}
