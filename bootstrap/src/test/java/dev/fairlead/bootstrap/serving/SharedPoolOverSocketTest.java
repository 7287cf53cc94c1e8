package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CreateVolumeRequest;
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

/**
 * Two nodes' drivers on a pool that both have mounted, asked over their sockets; needs root, since it is a file system
 * of its own.
 */
class SharedPoolOverSocketTest {
    private static final String NODE = "node";

    @TempDir
    Path folder = Path.of("/nonexistent");

    private Path pool = folder;

    @BeforeEach
    void mountPool() throws Exception {
        pool = Files.createDirectories(folder.resolve("pool"));
        Assumptions.assumeTrue(
                NodeShell.run("mount", "-t", "tmpfs", "none", pool.toString()) == 0, "left out: mounting needs root");
    }

    @AfterEach
    void unmount() throws Exception {
        NodeShell.unmountAll(folder);
    }

    private RunningDriver node(String name, String more) throws Exception {
        RunningDriver driver = RunningDriver.proxy(folder.resolve(name)).env("CSI_NODE_ID", name);
        return driver.connection(
                        "shared",
                        "driver: local-pool\nlocal-pool: {pools: [{name: legacy, path: \"" + pool
                                + "\", shared: true}]}\n" + more)
                .start();
    }

    /** The request of a node's provisioner, for a claim that the scheduler has given to that node. */
    private static CreateVolumeRequest wanted(String node) {
        return RunningDriver.volume("pvc-1", Map.of("connection", "shared", "csi.storage.k8s.io/pvc/name", "claim"))
                .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                        .addRequisite(RunningDriver.term(NODE, node))
                        .addPreferred(RunningDriver.term(NODE, node)))
                .build();
    }

    private PooledVolume pooled(Volume volume) {
        return new PooledVolume(folder, volume, RunningDriver.mounted());
    }

    @Test
    void what_one_node_made_is_mounted_by_another_and_deleted_by_it() throws Exception {
        try (RunningDriver one = node("n1", "");
                RunningDriver two = node("n2", "")) {
            Volume made = one.controller().createVolume(wanted("n1")).getVolume();
            assertThat(made.getAccessibleTopologyList()).isEmpty();
            assertThat(two.controller().createVolume(wanted("n2")).getVolume()).isEqualTo(made);

            PooledVolume volume = pooled(made);
            volume.stageAndPublish(two);
            Files.writeString(volume.pod().resolve("file"), "from n2");
            assertThat(pool.resolve("v/pvc-1/file")).hasContent("from n2");
            volume.unpublishAndUnstage(two);
            volume.delete(two);

            volume.delete(one);
            assertThat(pool.resolve("v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_node_without_the_mount_has_no_pool() throws Exception {
        Assumptions.assumeTrue(
                Files.getFileStore(folder).equals(Files.getFileStore(Path.of("/"))),
                "left out: the folder for temporary files is no part of the system's file system");
        try (RunningDriver one = node("n1", "");
                RunningDriver two = node("n2", "fairlead: {baseFolder: create}\n")) {
            Volume made = one.controller().createVolume(wanted("n1")).getVolume();
            unmount();

            for (var asked : Map.of("n1", one, "n2", two).entrySet()) {
                RunningDriver driver = asked.getValue();
                assertThatThrownBy(() -> driver.controller().createVolume(wanted(asked.getKey())))
                        .isInstanceOf(StatusRuntimeException.class)
                        .hasMessageContaining("UNAVAILABLE");
                assertThatThrownBy(() -> pooled(made).delete(driver))
                        .isInstanceOf(StatusRuntimeException.class)
                        .hasMessageContaining("UNAVAILABLE");
                assertThatThrownBy(() -> pooled(made).stageAndPublish(driver))
                        .isInstanceOf(StatusRuntimeException.class);
            }
            assertThat(pool).isEmptyDirectory();
        }
    }

    @Test
    void a_pool_that_some_nodes_have_is_where_its_connection_says() throws Exception {
        String places = "proxy: {perDriver: {topology: [{requirements: {node: n1}}]}}\n";
        try (RunningDriver one = node("n1", places)) {
            assertThat(one.controller().createVolume(wanted("n1")).getVolume().getAccessibleTopologyList())
                    .containsExactly(RunningDriver.term(NODE, "n1"));
        }
    }
}
