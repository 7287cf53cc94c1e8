package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import csi.v1.CreateVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools that are where their disk is, asked over the sockets of nodes; needs root and loop devices. */
class PlacedPoolOverSocketTest {
    private static final String FIRST = "0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9";
    private static final String SECOND = "1a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9";
    private static final String KEY = "pool.legacy";

    @TempDir
    Path folder = Path.of("/nonexistent");

    private Optional<FakeCluster> api = Optional.empty();

    @AfterEach
    void end() throws Exception {
        api.ifPresent(FakeCluster::close);
        NodeShell.unmountAll(folder);
    }

    private Path disk(String uuid) throws Exception {
        Path raw = folder.resolve(uuid + ".raw");
        assertThat(NodeShell.run("truncate", "-s", "3G", raw.toString())).isZero();
        Assumptions.assumeTrue(
                NodeShell.run("mkfs.ext4", "-q", "-U", uuid, raw.toString()) == 0, "left out: there is no mkfs.ext4");
        return raw;
    }

    private void mount(Path raw) throws Exception {
        Path pool = Files.createDirectories(folder.resolve("pool"));
        Assumptions.assumeTrue(
                NodeShell.run("mount", "-o", "loop", raw.toString(), pool.toString()) == 0,
                "left out: this kernel or user mounts no loop device");
    }

    private RunningDriver node(String name) throws Exception {
        Path own = folder.resolve(name);
        RunningDriver driver = RunningDriver.proxy(own).env("CSI_NODE_ID", name);
        return Files.exists(own.resolve("connections/disks.yaml")) ? driver : withPool(driver);
    }

    private RunningDriver withPool(RunningDriver driver) throws Exception {
        return driver.connection(
                "disks",
                "driver: local-pool\nlocal-pool: {pools: [{name: legacy, path: \"" + folder.resolve("pool")
                        + "\", kind: directory, topology: disk}]}\nfairlead: {baseFolder: create}\n");
    }

    private static CreateVolumeRequest wanted(String name, Topology term) {
        return RunningDriver.volume(name, Map.of("connection", "disks", "csi.storage.k8s.io/pvc/name", "claim"))
                .setAccessibilityRequirements(
                        TopologyRequirement.newBuilder().addRequisite(term).addPreferred(term))
                .build();
    }

    private static String refusal(RunningDriver driver, Topology term) {
        try {
            return "made " + driver.controller().createVolume(wanted("pvc-1", term));
        } catch (StatusRuntimeException e) {
            return String.valueOf(e.getStatus());
        }
    }

    private static Topology place(RunningDriver driver) {
        return driver.node()
                .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                .getAccessibleTopology();
    }

    private static long room(RunningDriver driver) {
        return room(driver, place(driver));
    }

    private static long room(RunningDriver driver, Topology where) {
        return driver.controller()
                .getCapacity(GetCapacityRequest.newBuilder()
                        .putParameters("connection", "disks")
                        .setAccessibleTopology(where)
                        .build())
                .getAvailableCapacity();
    }

    /** Answers for the Kubernetes API: each node has this label. */
    private Path cluster(String label) throws Exception {
        return cluster(FakeCluster.answering(
                200,
                "{\"kind\":\"Node\",\"metadata\":{\"labels\":{\"org.democratic-csi.topology/" + KEY + "\":\"" + label
                        + "\"}}}"));
    }

    private Path cluster(HttpHandler nodes) throws Exception {
        FakeCluster cluster = new FakeCluster().with("/api/v1/nodes/", nodes);
        api = Optional.of(cluster);
        return cluster.access(folder);
    }

    @Test
    void volumes_go_with_their_disk_to_a_node_of_another_name() throws Exception {
        mount(disk(FIRST));
        Topology disk = RunningDriver.term(KEY, FIRST);
        Volume made;
        try (RunningDriver one = node("n1").start()) {
            assertThat(place(one)).isEqualTo(RunningDriver.term("node", "n1", KEY, FIRST));
            made = one.controller().createVolume(wanted("pvc-1", place(one))).getVolume();
            assertThat(made.getAccessibleTopologyList()).containsExactly(disk);
            Files.writeString(folder.resolve("pool/v/pvc-1/file"), "kept");
        }
        try (RunningDriver two = node("n2").start()) {
            assertThat(place(two)).isEqualTo(RunningDriver.term("node", "n2", KEY, FIRST));
            assertThat(two.controller()
                            .createVolume(wanted("pvc-1", place(two)))
                            .getVolume())
                    .isEqualTo(made);
            assertThat(two.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntries(0)
                            .getVolume()
                            .getAccessibleTopologyList())
                    .containsExactly(disk);
            PooledVolume volume = new PooledVolume(folder, made, RunningDriver.mounted());
            volume.stageAndPublish(two);
            assertThat(volume.pod().resolve("file")).hasContent("kept");
            volume.unpublishAndUnstage(two);
            volume.delete(two);
        }
    }

    @Test
    void a_volume_that_is_wanted_on_another_disk_is_not_made() throws Exception {
        mount(disk(FIRST));
        try (RunningDriver one = node("n1").start()) {
            ProxySteps.assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    () -> one.controller()
                            .createVolume(wanted("pvc-1", RunningDriver.term("node", "n1", KEY, SECOND))));
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_node_that_has_the_label_of_another_disk_keeps_it_and_makes_nothing_there() throws Exception {
        mount(disk(FIRST));
        Path access = cluster(SECOND);
        try (RunningDriver one = node("n1").env("KUBECONFIG", access.toString()).start()) {
            assertThat(place(one)).isEqualTo(RunningDriver.term("node", "n1", KEY, SECOND));
            assertThat(room(one)).isZero();
            ProxySteps.assertRefused(
                    Status.Code.UNAVAILABLE, () -> one.controller().createVolume(wanted("pvc-1", place(one))));
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_node_whose_disk_is_away_keeps_the_label_that_it_has() throws Exception {
        mount(disk(FIRST));
        Path access = cluster(FIRST);
        try (RunningDriver one = node("n1").env("KUBECONFIG", access.toString()).start()) {
            var _ = one.controller().createVolume(wanted("pvc-1", place(one)));
            assertThat(room(one)).isPositive();
        }
        assertThat(NodeShell.run("umount", folder.resolve("pool").toString())).isZero();
        Files.deleteIfExists(folder.resolve("pool"));
        try (RunningDriver again = node("again")
                .env("CSI_NODE_ID", "n1")
                .env("KUBECONFIG", access.toString())
                .start()) {
            assertThat(place(again)).isEqualTo(RunningDriver.term("node", "n1", KEY, FIRST));
        }
    }

    @Test
    void a_node_that_may_not_read_its_labels_serves_and_makes_nothing_in_that_pool() throws Exception {
        mount(disk(FIRST));
        Path access = cluster(exchange -> {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        try (RunningDriver one = node("n1").env("KUBECONFIG", access.toString()).start()) {
            assertThat(place(one)).isEqualTo(RunningDriver.term("node", "n1"));
            assertThat(room(one)).isZero();
            ProxySteps.assertRefused(
                    Status.Code.UNAVAILABLE,
                    () -> one.controller().createVolume(wanted("pvc-1", RunningDriver.term("node", "n1", KEY, FIRST))));
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_pool_that_is_listed_once_the_node_has_registered_makes_nothing_until_the_next_start() throws Exception {
        mount(disk(FIRST));
        try (RunningDriver one = RunningDriver.proxy(folder.resolve("n1"))
                .env("CSI_NODE_ID", "n1")
                .start()) {
            assertThat(place(one)).isEqualTo(RunningDriver.term("node", "n1"));
            RunningDriver listed = withPool(one);
            Topology known = RunningDriver.term("node", "n1", KEY, FIRST);
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            String why = "";
            while (!why.contains("without the label") && System.nanoTime() < end) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos()); // another thread follows the folder
                why = refusal(listed, known);
            }
            assertThat(why).contains("FL-TOPO-003", "without the label", KEY, "restart the driver's pod");
            assertThat(room(listed, known)).isZero(); // kubelet has not asked again
            assertThat(folder.resolve("pool/v/pvc-1")).doesNotExist();
        }
    }
}
