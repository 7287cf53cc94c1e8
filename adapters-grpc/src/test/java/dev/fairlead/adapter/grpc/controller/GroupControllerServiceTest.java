package dev.fairlead.adapter.grpc.controller;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGrpc;
import csi.v1.GroupControllerServiceCapability;
import csi.v1.VolumeCapability;
import csi.v1.VolumeGroupSnapshot;
import dev.fairlead.adapter.grpc.UseCaseFakes;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CsiName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of snapshots and the parameters that may change, as they travel. */
class GroupControllerServiceTest {
    private static final Wire wire = new Wire();

    @BeforeEach
    void forget() {
        wire.useCases.calls.clear();
        wire.useCases.script(_ -> "plain");
    }

    @AfterAll
    static void close() throws IOException {
        wire.close();
    }

    private static GroupControllerGrpc.GroupControllerBlockingStub groups() {
        return GroupControllerGrpc.newBlockingStub(wire.channel);
    }

    @Test
    void it_offers_all_that_there_is_of_groups() {
        var answer =
                groups().groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance());

        assertThat(answer.getCapabilitiesList())
                .singleElement()
                .satisfies(c -> assertThat(c.getRpc().getType())
                        .isEqualTo(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT));
    }

    @Test
    void create_hands_over_every_field_and_answers_the_group_with_its_snapshots() {
        var answer = groups().createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("group-1")
                .addSourceVolumeIds("v:tank/pvc-1")
                .addSourceVolumeIds("v:tank/pvc-2")
                .putParameters("tier", "gold")
                .putSecrets("password", "hunter2")
                .build());

        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(
                        new CsiName("group-1"), List.of("v:tank/pvc-1", "v:tank/pvc-2"), Map.of("tier", "gold"));
        assertThat(wire.useCases.onlyCall().work().what()).isEqualTo("CreateVolumeGroupSnapshot group-1");
        isTheGroup(answer.getGroupSnapshot());
    }

    private static void isTheGroup(VolumeGroupSnapshot group) {
        assertThat(group.getGroupSnapshotId()).isEqualTo("g:tank/group-1");
        assertThat(group.getReadyToUse()).isTrue();
        assertThat(group.getCreationTime().getSeconds()).isEqualTo(1_700_000_000);
        assertThat(group.getSnapshotsList()).singleElement().satisfies(snapshot -> {
            assertThat(snapshot.getSnapshotId()).isEqualTo("s:tank/pvc-1@group-1");
            assertThat(snapshot.getSourceVolumeId()).isEqualTo("v:tank/pvc-1");
            assertThat(snapshot.getGroupSnapshotId()).isEqualTo("g:tank/group-1");
            assertThat(snapshot.getReadyToUse()).isTrue();
        });
    }

    @Test
    void get_and_delete_hand_over_the_group_and_the_snapshots_that_it_is_to_have() {
        var got = groups().getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g:tank/group-1")
                .addSnapshotIds("s:tank/pvc-1@group-1")
                .build());
        var _ = groups().deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g:tank/group-1")
                .addSnapshotIds("s:tank/pvc-1@group-1")
                .build());

        isTheGroup(got.getGroupSnapshot());
        assertThat(wire.useCases.calls)
                .extracting(UseCaseFakes.Call::useCase)
                .containsExactly("getGroup", "deleteGroup");
        assertThat(wire.useCases.calls)
                .extracting(UseCaseFakes.Call::arguments)
                .containsOnly(List.of("g:tank/group-1", List.of("s:tank/pvc-1@group-1")));
    }

    @Test
    void a_snapshot_alone_says_its_group_too() {
        wire.useCases.script(_ -> new SnapshotView(
                "s:tank/pvc-1@group-1", "v:tank/pvc-1", Capacity.ZERO, Instant.EPOCH, Optional.of("g:tank/group-1")));

        var answer = wire.controller()
                .getSnapshot(GetSnapshotRequest.newBuilder()
                        .setSnapshotId("s:tank/pvc-1@group-1")
                        .build());

        assertThat(answer.getSnapshot().getGroupSnapshotId()).isEqualTo("g:tank/group-1");
    }

    @Test
    void modify_hands_over_what_is_to_change() {
        var _ = wire.controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId("v:tank/pvc-1")
                        .putMutableParameters("compression", "zstd")
                        .build());

        assertThat(wire.useCases.onlyCall().useCase()).isEqualTo("modifyVolume");
        assertThat(wire.useCases.onlyCall().arguments()).containsExactly("v:tank/pvc-1", Map.of("compression", "zstd"));
    }

    @Test
    void create_hands_over_the_mutable_parameters_apart_from_the_others() {
        var _ = wire.controller()
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName("pvc-1")
                        .addVolumeCapabilities(VolumeCapability.newBuilder()
                                .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                                        .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
                        .putParameters("p", "1")
                        .putModifiableParameters("compression", "zstd")
                        .build());

        assertThat(wire.useCases.onlyCall().arguments()).singleElement().satisfies(argument -> {
            var command = (CreateVolume.Command) argument;
            assertThat(command.parameters()).isEqualTo(Map.of("p", "1"));
            assertThat(command.mutable()).isEqualTo(Map.of("compression", "zstd"));
        });
    }
}
