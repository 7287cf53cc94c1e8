package dev.fairlead.adapter.grpc.controller;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotResponse;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotResponse;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGetCapabilitiesResponse;
import csi.v1.GroupControllerGrpc;
import csi.v1.GroupControllerServiceCapability;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.adapter.grpc.message.Responses;
import dev.fairlead.application.port.in.GroupUseCases;
import io.grpc.stub.StreamObserver;

/** Serves CSI's GroupController for drivers that offer it; a driver offers all of its RPCs or none. */
public final class GroupControllerService extends GroupControllerGrpc.GroupControllerImplBase {
    private static final GroupControllerGetCapabilitiesResponse CAPABILITIES =
            GroupControllerGetCapabilitiesResponse.newBuilder()
                    .addCapabilities(GroupControllerServiceCapability.newBuilder()
                            .setRpc(GroupControllerServiceCapability.RPC
                                    .newBuilder()
                                    .setType(
                                            GroupControllerServiceCapability.RPC
                                                    .Type
                                                    .CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
                    .build();

    private final GroupUseCases useCases;
    private final UnaryCall calls;

    public GroupControllerService(GroupUseCases useCases, UnaryCall calls) {
        this.useCases = useCases;
        this.calls = calls;
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request, StreamObserver<GroupControllerGetCapabilitiesResponse> out) {
        out.onNext(CAPABILITIES);
        out.onCompleted();
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, StreamObserver<CreateVolumeGroupSnapshotResponse> out) {
        calls.about(request.getName());
        var take = GroupRequests.take(request);
        calls.answer(
                out,
                work -> CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(Responses.group(
                                useCases.take().take(take.name(), take.sourceVolumes(), take.parameters(), work)))
                        .build());
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, StreamObserver<DeleteVolumeGroupSnapshotResponse> out) {
        calls.about(request.getGroupSnapshotId());
        String handle = FieldChecks.handle("group_snapshot_id", request.getGroupSnapshotId());
        var snapshots = GroupRequests.handles("snapshot_ids", request.getSnapshotIdsList());
        calls.answer(out, work -> {
            useCases.delete().delete(handle, snapshots, work);
            return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
        });
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> out) {
        calls.about(request.getGroupSnapshotId());
        String handle = FieldChecks.handle("group_snapshot_id", request.getGroupSnapshotId());
        var snapshots = GroupRequests.handles("snapshot_ids", request.getSnapshotIdsList());
        calls.answer(
                out,
                work -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(Responses.group(useCases.get().get(handle, snapshots, work)))
                        .build());
    }
}
