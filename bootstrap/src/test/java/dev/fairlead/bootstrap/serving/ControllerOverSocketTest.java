package dev.fairlead.bootstrap.serving;

import static dev.fairlead.bootstrap.serving.RunningDriver.term;
import static dev.fairlead.bootstrap.serving.RunningDriver.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ProbeRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import dev.fairlead.application.config.InvalidConfigException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerOverSocketTest {
    private static final String PROXY = """
            driver: proxy
            proxy:
              configFolder: "@DIR@/connections"
              nodeTopology:
                type: zone
                fromRegexp:
                  - {topologyKey: zone, source: nodeName}
            """;
    private static final String ZONE = """
            proxy:
              perDriver:
                topology:
                  - requirements: {region: region1, zone: %s}
            """;

    @TempDir
    Path folder;

    @Test
    void three_connections_serve_volumes_of_their_own_from_one_socket() throws Exception {
        try (RunningDriver driver = zones()) {
            Volume first = create(driver, "pvc-1", Map.of("connection", "a"));
            Volume second = create(driver, "pvc-1-too", Map.of("connection", "b"));
            Volume third = create(driver, "pvc-3", Map.of("connection", "c"));

            assertThat(List.of(first.getVolumeId(), second.getVolumeId(), third.getVolumeId()))
                    .containsExactly("v:a/pvc-1", "v:b/pvc-1-too", "v:c/pvc-3");
            assertThat(folder.resolve("volumes-b/v/pvc-1-too")).isDirectory();
            assertThat(first.getVolumeContextMap())
                    .containsEntry("node_attach_driver", "hostpath")
                    .containsEntry("provisioner_driver", "local-hostpath")
                    .containsEntry("path", folder + "/volumes-a/v/pvc-1");
            assertThat(driver.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesList())
                    .extracting(entry -> entry.getVolume().getVolumeId())
                    .containsExactly("v:a/pvc-1", "v:b/pvc-1-too", "v:c/pvc-3");
        }
    }

    @Test
    void a_snapshot_and_a_volume_made_of_it_live_on_the_source_s_connection() throws Exception {
        try (RunningDriver driver = zones()) {
            Volume volume = create(driver, "pvc-1", Map.of("connection", "b"));
            Files.writeString(folder.resolve("volumes-b/v/pvc-1/file"), "data");

            var snapshot = driver.controller()
                    .createSnapshot(CreateSnapshotRequest.newBuilder()
                            .setName("snapshot-1")
                            .setSourceVolumeId(volume.getVolumeId())
                            .build())
                    .getSnapshot();
            var request = volume("pvc-2", Map.of("connection", "b"));
            request.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot.getSnapshotId());
            Volume restored = driver.controller().createVolume(request.build()).getVolume();
            driver.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(snapshot.getSnapshotId())
                            .build());
            delete(driver, volume.getVolumeId());

            assertThat(snapshot.getSnapshotId()).startsWith("s:b/");
            assertThat(restored.getContentSource().getSnapshot().getSnapshotId())
                    .isEqualTo(snapshot.getSnapshotId());
            assertThat(folder.resolve("volumes-b/v/pvc-2/file")).hasContent("data");
            assertThat(folder.resolve("volumes-b/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_snapshot_name_that_another_connection_has_is_a_conflict_for_as_long_as_it_is_there() throws Exception {
        try (RunningDriver driver = zones()) {
            Volume first = create(driver, "pvc-1", Map.of("connection", "a"));
            Volume second = create(driver, "pvc-2", Map.of("connection", "b"));
            String taken = snapshot(driver, first);

            assertRefused(Status.Code.ALREADY_EXISTS, () -> snapshot(driver, second));
            driver.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(taken)
                            .build());

            assertThat(snapshot(driver, second)).startsWith("s:b/");
        }
    }

    @Test
    void a_class_of_several_connections_follows_topology() throws Exception {
        try (RunningDriver driver = zones()) {
            Volume volume = driver.controller()
                    .createVolume(volume("pvc-1", Map.of("connections", "a,b,c"))
                            .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                    .addRequisite(term("zone", "zone1"))
                                    .addRequisite(term("zone", "zone2"))
                                    .addPreferred(term("zone", "zone2")))
                            .build())
                    .getVolume();

            assertThat(volume.getVolumeId()).isEqualTo("v:c/pvc-1");
            assertThat(volume.getAccessibleTopologyList()).containsExactly(term("region", "region1", "zone", "zone2"));
        }
    }

    @Test
    void a_selector_finds_connections_by_their_labels() throws Exception {
        try (RunningDriver driver = zones()) {
            Volume volume = create(driver, "pvc-1", Map.of("connectionSelector", "tier=fast"));

            assertThat(volume.getVolumeId()).isEqualTo("v:b/pvc-1");
        }
    }

    @Test
    void the_three_storage_classes_of_the_topology_document_do_what_it_says() throws Exception {
        try (RunningDriver driver = seed()) {
            Topology reported = term("region", "region1", "zone", "zone1").toBuilder()
                    .putSegments("custom.prefix/custom.name", "custom.value")
                    .build();
            Volume noRequirements = create(driver, "pvc-1", Seeds.parameters("topology-class-1.yaml"));
            Volume allowed = driver.controller()
                    .createVolume(required("pvc-2", "topology-class-2.yaml", allowedTerm()))
                    .getVolume();
            Volume scheduled = driver.controller()
                    .createVolume(
                            required("pvc-3", "topology-class-3.yaml", term("region", "region1", "zone", "zone1")))
                    .getVolume();

            assertThat(List.of(noRequirements, allowed, scheduled))
                    .allSatisfy(volume ->
                            assertThat(volume.getAccessibleTopologyList()).containsExactly(reported));
            assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    () -> driver.controller()
                            .createVolume(required("pvc-4", "topology-class-3.yaml", term("zone", "zone2"))));
            assertThat(folder.resolve("volumes-c1/v")).isDirectoryNotContaining("glob:**pvc-4");
        }
    }

    @Test
    void every_shape_of_requirement_that_the_provisioner_sends_is_met_by_one_reachable_term() throws Exception {
        try (RunningDriver driver = seed()) {
            List<TopologyRequirement> met = List.of(
                    requirement(List.of(here()), List.of(here())),
                    requirement(List.of(elsewhere(), here()), List.of(here(), elsewhere())),
                    requirement(List.of(elsewhere(), here()), List.of(elsewhere(), here())),
                    requirement(List.of(term("zone", "zone1")), List.of()),
                    requirement(List.of(term("zone", "zone2"), term("zone", "zone1")), List.of()),
                    TopologyRequirement.getDefaultInstance());

            for (int i = 0; i < met.size(); i++) {
                Volume volume = driver.controller()
                        .createVolume(volume("pvc-" + i, Map.of("connection", "c1"))
                                .setAccessibilityRequirements(met.get(i))
                                .build())
                        .getVolume();
                assertThat(volume.getVolumeId()).isEqualTo("v:c1/pvc-" + i);
            }
            assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    () -> driver.controller()
                            .createVolume(volume("pvc-no", Map.of("connection", "c1"))
                                    .setAccessibilityRequirements(
                                            requirement(List.of(elsewhere()), List.of(elsewhere())))
                                    .build()));
        }
    }

    @Test
    void a_connection_that_comes_changes_breaks_and_goes_is_followed() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder).main(PROXY).start("controller")) {
            assertRefused(Status.Code.UNAVAILABLE, () -> create(driver, "pvc-1", Map.of("connection", "late")));

            driver.localConnection("late", ZONE.formatted("zone1"));
            Volume volume = eventually(() -> create(driver, "pvc-1", Map.of("connection", "late")));
            Files.writeString(folder.resolve("connections/late.yaml"), "driver: [broken");
            Volume again = create(driver, "pvc-1", Map.of("connection", "late"));
            Files.delete(folder.resolve("connections/late.yaml"));

            assertThat(again).isEqualTo(volume);
            eventually(() -> {
                assertRefused(Status.Code.UNAVAILABLE, () -> delete(driver, volume.getVolumeId()));
                return volume;
            });
            assertThat(folder.resolve("volumes-late/v/pvc-1")).isDirectory();
        }
    }

    @Test
    void a_proxy_without_any_connection_is_a_working_deployment() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder)
                .main(PROXY.replace("@DIR@/connections", "@DIR@/nowhere"))
                .start("controller")) {
            assertThat(driver.identity()
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
            assertThat(driver.identity()
                            .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                            .getName())
                    .isEqualTo("test.fairlead.dev");
            assertThat(driver.identity()
                            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isEqualTo(3);
            delete(driver, "not-ours");
        }
    }

    @Test
    void the_file_of_a_single_driver_keeps_bare_handles_and_its_node_s_topology() throws Exception {
        Files.createDirectories(folder.resolve("volumes"));
        try (RunningDriver driver = new RunningDriver(folder)
                .env("CSI_NODE_ID", "node-7")
                .main(RunningDriver.local("@DIR@/volumes") + "instance_id: mine\n")
                .start("controller")) {
            Volume volume = create(driver, "pvc-1", Map.of());

            assertThat(volume.getVolumeId()).isEqualTo("pvc-1");
            assertThat(volume.getAccessibleTopologyList()).containsExactly(term("node", "node-7"));
            assertThat(volume.getVolumeContextMap()).containsEntry("provisioner_driver_instance_id", "mine");
            assertThat(driver.controller()
                            .getCapacity(GetCapacityRequest.getDefaultInstance())
                            .getAvailableCapacity())
                    .isPositive();
            assertThat(driver.controller()
                            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .toString())
                    .contains("CREATE_DELETE_VOLUME", "LIST_SNAPSHOTS")
                    .doesNotContain("EXPAND_VOLUME");
        }
    }

    @Test
    void a_single_driver_s_broken_file_ends_the_start_with_every_problem() throws Exception {
        RunningDriver driver = new RunningDriver(folder)
                .env("CSI_NODE_ID", "n")
                .main("driver: local-hostpath\nfairlead: {concurency: 3}\n");

        assertThatThrownBy(() -> driver.start("controller"))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.path())
                                .contains(
                                        "fairlead.concurency",
                                        "local-hostpath.shareBasePath",
                                        "local-hostpath.controllerBasePath"));
    }

    private RunningDriver zones() throws IOException, InterruptedException {
        return new RunningDriver(folder)
                .main(PROXY)
                .localConnection("a", ZONE.formatted("zone1"))
                .localConnection("b", ZONE.formatted("zone1") + "fairlead: {labels: {tier: fast}}\n")
                .localConnection("c", ZONE.formatted("zone2"))
                .start("controller");
    }

    /** The main file of the proxy document, and the connection of the topology document. */
    private RunningDriver seed() throws IOException, InterruptedException {
        String main = Seeds.text("proxy-driver.yaml").replace("/mnt/connections/", "@DIR@/connections/");
        return new RunningDriver(folder)
                .main(main)
                .localConnection("c1", Seeds.text("topology-connection.yaml"))
                .start("controller");
    }

    private static Topology allowedTerm() {
        var allowed = Seeds.yaml("topology-class-2.yaml")
                .children("allowedTopologies")
                .getFirst()
                .children("matchLabelExpressions")
                .getFirst();
        return Topology.newBuilder()
                .putSegments(
                        allowed.string("key").orElseThrow(),
                        allowed.strings("values").getFirst())
                .build();
    }

    private static CreateVolumeRequest required(String name, String storageClass, Topology term) {
        return volume(name, Seeds.parameters(storageClass))
                .setAccessibilityRequirements(requirement(List.of(term), List.of(term)))
                .build();
    }

    private static TopologyRequirement requirement(List<Topology> requisite, List<Topology> preferred) {
        return TopologyRequirement.newBuilder()
                .addAllRequisite(requisite)
                .addAllPreferred(preferred)
                .build();
    }

    private static Topology here() {
        return term("region", "region1", "zone", "zone1");
    }

    private static Topology elsewhere() {
        return term("region", "region1", "zone", "zone2");
    }

    private static Volume create(RunningDriver driver, String name, Map<String, String> parameters) {
        return driver.controller()
                .createVolume(volume(name, parameters).build())
                .getVolume();
    }

    private static String snapshot(RunningDriver driver, Volume source) {
        return driver.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName("snapshot-1")
                        .setSourceVolumeId(source.getVolumeId())
                        .build())
                .getSnapshot()
                .getSnapshotId();
    }

    private static void delete(RunningDriver driver, String handle) {
        var _ = driver.controller()
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(handle).build());
    }

    private static void assertRefused(Status.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
    }

    /** The folder is followed by another thread. */
    private static Volume eventually(Supplier<Volume> attempt) {
        long end = System.nanoTime() + 20_000_000_000L;
        while (true) {
            try {
                return attempt.get();
            } catch (StatusRuntimeException | AssertionError e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(5_000_000);
            }
        }
    }
}
