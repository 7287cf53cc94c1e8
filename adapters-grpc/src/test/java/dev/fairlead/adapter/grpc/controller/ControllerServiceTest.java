package dev.fairlead.adapter.grpc.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Int64Value;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerServiceTest {
    private static final Wire wire = new Wire();

    private static final VolumeCapability MOUNT = VolumeCapability.newBuilder()
            .setMount(
                    VolumeCapability.MountVolume.newBuilder().setFsType("ext4").addMountFlags("noatime"))
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();
    private static final dev.fairlead.domain.volume.VolumeCapability DECODED_MOUNT =
            new dev.fairlead.domain.volume.VolumeCapability(
                    new dev.fairlead.domain.volume.VolumeCapability.Mount("ext4", List.of("noatime")),
                    AccessMode.SINGLE_NODE_WRITER);
    private static final Topology ZONE_A =
            Topology.newBuilder().putSegments("example.org/zone", "a").build();
    private static final TopologySegment DECODED_ZONE_A = TopologySegment.of(Map.of("example.org/zone", "a"));

    @BeforeEach
    void forget() {
        wire.useCases.calls.clear();
        wire.useCases.script(_ -> "plain");
    }

    @AfterAll
    static void close() throws Exception {
        wire.close();
    }

    @Test
    void create_volume_hands_over_every_field() {
        var request = CreateVolumeRequest.newBuilder()
                .setName("pvc-1")
                .setCapacityRange(
                        CapacityRange.newBuilder().setRequiredBytes(10).setLimitBytes(20))
                .addVolumeCapabilities(MOUNT)
                .putParameters("connection", "tank")
                .putSecrets("password", "hunter2")
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setSnapshot(
                                VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("s:tank/x")))
                .setAccessibilityRequirements(
                        TopologyRequirement.newBuilder().addRequisite(ZONE_A).addPreferred(ZONE_A))
                .build();

        var _ = wire.controller().createVolume(request);

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new CreateVolume.Command(
                        new CsiName("pvc-1"),
                        dev.fairlead.domain.capacity.CapacityRange.of(10, 20),
                        List.of(DECODED_MOUNT),
                        Map.of("connection", "tank"),
                        new Source.Snapshot("s:tank/x"),
                        new AccessibilityRequirement(List.of(DECODED_ZONE_A), List.of(DECODED_ZONE_A))));
        assertThat(wire.useCases.onlyCall().work().what()).isEqualTo("CreateVolume pvc-1");
    }

    @Test
    void create_volume_answers_every_field() {
        wire.useCases.script(_ -> new VolumeView(
                "v:tank/pvc-1",
                Capacity.ofBytes(4096),
                Map.of("k", "v"),
                new Source.Volume("v:tank/source"),
                List.of(DECODED_ZONE_A)));
        var request = CreateVolumeRequest.newBuilder()
                .setName("pvc-1")
                .addVolumeCapabilities(MOUNT)
                .setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId("v:tank/source")))
                .build();

        var volume = wire.controller().createVolume(request).getVolume();

        assertThat(volume.getVolumeId()).isEqualTo("v:tank/pvc-1");
        assertThat(volume.getCapacityBytes()).isEqualTo(4096);
        assertThat(volume.getVolumeContextMap()).containsExactly(Map.entry("k", "v"));
        assertThat(volume.getContentSource()).isEqualTo(request.getVolumeContentSource());
        assertThat(volume.getAccessibleTopologyList()).containsExactly(ZONE_A);
    }

    @Test
    void a_volume_without_a_source_and_from_everywhere_says_neither() {
        wire.useCases.script(_ -> new VolumeView("v:tank/pvc-1", Capacity.ZERO, Map.of(), Source.NONE, List.of()));

        var volume = wire.controller()
                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                        .setVolumeId("v:tank/pvc-1")
                        .build())
                .getVolume();

        assertThat(volume.hasContentSource()).isFalse();
        assertThat(volume.getAccessibleTopologyList()).isEmpty();
    }

    @Test
    void delete_volume_hands_over_the_handle() {
        var _ = wire.controller()
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId("v:tank/x").build());

        assertThat(wire.useCases.onlyCall().useCase()).isEqualTo("deleteVolume");
        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("v:tank/x");
    }

    @Test
    void expand_volume_hands_over_the_range_and_answers_the_size() {
        var answer = wire.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId("v:tank/x")
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(10))
                        .setVolumeCapability(MOUNT)
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly("v:tank/x", dev.fairlead.domain.capacity.CapacityRange.of(10, 0));
        assertThat(answer.getCapacityBytes()).isEqualTo(8192);
        assertThat(answer.getNodeExpansionRequired()).isTrue();
    }

    @Test
    void validate_confirms_what_was_asked() {
        var request = ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId("v:tank/x")
                .putVolumeContext("c", "1")
                .putParameters("p", "2")
                .putModifiableParameters("m", "3")
                .addVolumeCapabilities(MOUNT)
                .build();

        var answer = wire.controller().validateVolumeCapabilities(request);

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new ValidateVolume.Command(
                        "v:tank/x", List.of(DECODED_MOUNT), Map.of("c", "1"), Map.of("p", "2"), Map.of("m", "3")));
        assertThat(answer.getConfirmed().getVolumeCapabilitiesList()).containsExactly(MOUNT);
        assertThat(answer.getConfirmed().getVolumeContextMap()).isEqualTo(Map.of("c", "1"));
        assertThat(answer.getConfirmed().getParametersMap()).isEqualTo(Map.of("p", "2"));
        assertThat(answer.getConfirmed().getModifiableParametersMap()).isEqualTo(Map.of("m", "3"));
    }

    @Test
    void validate_says_why_not() {
        wire.useCases.script(_ -> Optional.of("no block here"));

        var answer = wire.controller()
                .validateVolumeCapabilities(ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId("v:tank/x")
                        .addVolumeCapabilities(MOUNT)
                        .build());

        assertThat(answer.hasConfirmed()).isFalse();
        assertThat(answer.getMessage()).isEqualTo("no block here");
    }

    @Test
    void list_volumes_pages() {
        var answer = wire.controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(7)
                        .setStartingToken("t")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments()).containsExactly(Optional.of("t"), 7);
        assertThat(answer.getEntriesList())
                .singleElement()
                .satisfies(e -> assertThat(e.getVolume().getVolumeId()).isEqualTo("v:tank/pvc-1"));
        assertThat(answer.getNextToken()).isEqualTo("tank/pvc-1");
    }

    @Test
    void get_capacity_hands_over_the_class_and_place_and_answers_the_largest_volume() {
        var answer = wire.controller()
                .getCapacity(GetCapacityRequest.newBuilder()
                        .addVolumeCapabilities(MOUNT)
                        .putParameters("p", "1")
                        .setAccessibleTopology(ZONE_A)
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new ReportCapacity.Command(
                        Map.of("p", "1"), List.of(DECODED_MOUNT), Optional.of(DECODED_ZONE_A)));
        assertThat(answer.getAvailableCapacity()).isEqualTo(100);
        assertThat(answer.getMaximumVolumeSize()).isEqualTo(Int64Value.of(60));
    }

    @Test
    void get_capacity_says_nothing_of_a_largest_volume_that_is_unknown() {
        wire.useCases.script(_ -> new ReportCapacity.Result(Capacity.ofBytes(5), Optional.empty()));

        var answer = wire.controller().getCapacity(GetCapacityRequest.getDefaultInstance());

        assertThat(answer.hasMaximumVolumeSize()).isFalse();
    }

    @Test
    void create_snapshot_hands_over_and_answers_every_field() {
        var snapshot = wire.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName("s1")
                        .setSourceVolumeId("v:tank/pvc-1")
                        .putParameters("p", "1")
                        .build())
                .getSnapshot();

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new CsiName("s1"), "v:tank/pvc-1", Map.of("p", "1"));
        assertThat(snapshot.getSnapshotId()).isEqualTo("s:tank/pvc-1-s1");
        assertThat(snapshot.getSourceVolumeId()).isEqualTo("v:tank/pvc-1");
        assertThat(snapshot.getSizeBytes()).isEqualTo(4096);
        assertThat(snapshot.getCreationTime().getSeconds()).isEqualTo(1_700_000_000);
        assertThat(snapshot.getCreationTime().getNanos()).isEqualTo(5);
        assertThat(snapshot.getReadyToUse()).isTrue();
    }

    @Test
    void delete_snapshot_hands_over_the_handle() {
        var _ = wire.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId("s:t/x")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("s:t/x");
    }

    @Test
    void get_snapshot_answers_the_snapshot() {
        var answer = wire.controller()
                .getSnapshot(
                        GetSnapshotRequest.newBuilder().setSnapshotId("s:t/x").build());

        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("s:t/x");
        assertThat(answer.getSnapshot().getSnapshotId()).isEqualTo("s:tank/pvc-1-s1");
    }

    @Test
    void list_snapshots_hands_over_its_filters() {
        var answer = wire.controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder()
                        .setSnapshotId("s:t/x")
                        .setSourceVolumeId("v:t/x")
                        .setStartingToken("t")
                        .setMaxEntries(3)
                        .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(
                        new ListSnapshots.Query(Optional.of("s:t/x"), Optional.of("v:t/x"), Optional.of("t"), 3));
        assertThat(answer.getEntriesCount()).isEqualTo(1);
        assertThat(answer.getNextToken()).isEqualTo("tank/pvc-1-s1");
    }
}
