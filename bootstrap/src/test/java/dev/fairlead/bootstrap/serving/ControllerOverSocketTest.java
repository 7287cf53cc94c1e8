package dev.fairlead.bootstrap.serving;

import static dev.fairlead.bootstrap.serving.RunningDriver.term;
import static dev.fairlead.bootstrap.serving.RunningDriver.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ProbeRequest;
import csi.v1.Volume;
import dev.fairlead.application.config.InvalidConfigException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerOverSocketTest {
    @TempDir
    Path folder;

    @Test
    void three_connections_serve_volumes_of_their_own_from_one_socket() throws Exception {
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Volume first = ProxySteps.create(driver, "pvc-1", Map.of("connection", "a"));
            Volume second = ProxySteps.create(driver, "pvc-1-too", Map.of("connection", "b"));
            Volume third = ProxySteps.create(driver, "pvc-3", Map.of("connection", "c"));

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
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Volume volume = ProxySteps.create(driver, "pvc-1", Map.of("connection", "b"));
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
            ProxySteps.delete(driver, volume.getVolumeId());

            assertThat(snapshot.getSnapshotId()).startsWith("s:b/");
            assertThat(restored.getContentSource().getSnapshot().getSnapshotId())
                    .isEqualTo(snapshot.getSnapshotId());
            assertThat(folder.resolve("volumes-b/v/pvc-2/file")).hasContent("data");
            assertThat(folder.resolve("volumes-b/v/pvc-1")).doesNotExist();
        }
    }

    @Test
    void a_snapshot_name_that_another_connection_has_is_a_conflict_for_as_long_as_it_is_there() throws Exception {
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Volume first = ProxySteps.create(driver, "pvc-1", Map.of("connection", "a"));
            Volume second = ProxySteps.create(driver, "pvc-2", Map.of("connection", "b"));
            String taken = ProxySteps.snapshot(driver, first);

            ProxySteps.assertRefused(Status.Code.ALREADY_EXISTS, () -> ProxySteps.snapshot(driver, second));
            driver.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId(taken)
                            .build());

            assertThat(ProxySteps.snapshot(driver, second)).startsWith("s:b/");
        }
    }

    @Test
    void a_connection_that_comes_changes_breaks_and_goes_is_followed() throws Exception {
        try (RunningDriver driver =
                new RunningDriver(folder).main(ProxySteps.PROXY).start("controller")) {
            ProxySteps.assertRefused(
                    Status.Code.UNAVAILABLE, () -> ProxySteps.create(driver, "pvc-1", Map.of("connection", "late")));

            driver.localConnection("late", ProxySteps.ZONE.formatted("zone1"));
            Volume volume = eventually(() -> ProxySteps.create(driver, "pvc-1", Map.of("connection", "late")));
            Files.writeString(folder.resolve("connections/late.yaml"), "driver: [broken");
            Volume again = ProxySteps.create(driver, "pvc-1", Map.of("connection", "late"));
            Files.delete(folder.resolve("connections/late.yaml"));

            assertThat(again).isEqualTo(volume);
            // Asked by a call that changes nothing, since the driver may not have seen the file go yet.
            eventually(() -> {
                ProxySteps.assertRefused(
                        Status.Code.UNAVAILABLE,
                        () -> ProxySteps.create(driver, "pvc-1", Map.of("connection", "late")));
                return volume;
            });
            ProxySteps.assertRefused(Status.Code.UNAVAILABLE, () -> ProxySteps.delete(driver, volume.getVolumeId()));
            assertThat(folder.resolve("volumes-late/v/pvc-1")).isDirectory();
        }
    }

    @Test
    void a_proxy_without_any_connection_is_a_working_deployment() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder)
                .main(ProxySteps.PROXY.replace("@DIR@/connections", "@DIR@/nowhere"))
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
                    .isEqualTo(4);
            ProxySteps.delete(driver, "not-ours");
        }
    }

    @Test
    void the_file_of_a_single_driver_keeps_bare_handles_and_its_node_s_topology() throws Exception {
        Files.createDirectories(folder.resolve("volumes"));
        try (RunningDriver driver = new RunningDriver(folder)
                .env("CSI_NODE_ID", "node-7")
                .main(RunningDriver.local("@DIR@/volumes") + "instance_id: mine\n")
                .start("controller")) {
            Volume volume = ProxySteps.create(driver, "pvc-1", Map.of());

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
