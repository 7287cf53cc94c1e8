package dev.fairlead.adapter.grpc.controller;

import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGetVolumeResponse;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerModifyVolumeResponse;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeResponse;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteSnapshotResponse;
import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.GetSnapshotRequest;
import csi.v1.GetSnapshotResponse;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.ValidateVolumeCapabilitiesRequest;
import csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.adapter.grpc.message.CapabilityEncoder;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.adapter.grpc.message.Responses;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.DriverProfile;
import io.grpc.stub.StreamObserver;

/** Serves CSI's Controller: decodes, calls the use case, encodes. RPCs that are not offered are not here. */
public final class ControllerService extends ControllerGrpc.ControllerImplBase {
    private final DriverProfile profile;
    private final ControllerUseCases useCases;
    private final UnaryCall calls;

    public ControllerService(DriverProfile profile, ControllerUseCases useCases, UnaryCall calls) {
        this.profile = profile;
        this.useCases = useCases;
        this.calls = calls;
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> out) {
        calls.about(request.getName());
        var command = VolumeRequests.create(request);
        calls.answer(
                out,
                work -> CreateVolumeResponse.newBuilder()
                        .setVolume(Responses.volume(useCases.createVolume().create(command, work)))
                        .build());
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> out) {
        calls.about(request.getVolumeId());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        calls.answer(out, work -> {
            useCases.deleteVolume().delete(handle, work);
            return DeleteVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> out) {
        calls.about(request.getVolumeId());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        var range = VolumeRequests.expansion(request);
        calls.answer(out, work -> {
            var result = useCases.expandVolume().expand(handle, range, work);
            return ControllerExpandVolumeResponse.newBuilder()
                    .setCapacityBytes(result.capacity().bytes())
                    .setNodeExpansionRequired(result.nodeMustGrow())
                    .build();
        });
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> out) {
        calls.about(request.getVolumeId());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        var mutable = VolumeRequests.modification(request);
        calls.answer(out, work -> {
            useCases.modifyVolume().modify(handle, mutable, work);
            return ControllerModifyVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> out) {
        calls.about(request.getVolumeId());
        var command = VolumeRequests.validate(request);
        calls.answer(
                out,
                work -> Responses.validated(request, useCases.validateVolume().objection(command, work)));
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var command = PublishRequests.publish(request);
        calls.answer(out, work -> {
            var context = useCases.publishVolume().publish(command, work);
            return ControllerPublishVolumeResponse.newBuilder()
                    .putAllPublishContext(context)
                    .build();
        });
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> out) {
        calls.about(request.getVolumeId());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        var node = PublishRequests.node(request);
        calls.answer(out, work -> {
            useCases.unpublishVolume().unpublish(handle, node, work);
            return ControllerUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> out) {
        int max = FieldChecks.maxEntries(request.getMaxEntries());
        var token = FieldChecks.given("starting_token", request.getStartingToken(), FieldChecks.TOKEN);
        calls.answer(out, work -> Responses.volumes(useCases.listVolumes().list(token, max, work)));
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> out) {
        calls.about(request.getVolumeId());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        calls.answer(
                out,
                work -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Responses.volume(useCases.getVolume().get(handle, work)))
                        .setStatus(ControllerGetVolumeResponse.VolumeStatus.getDefaultInstance())
                        .build());
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> out) {
        var command = VolumeRequests.capacity(request);
        calls.answer(out, work -> Responses.capacity(useCases.reportCapacity().report(command, work)));
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> out) {
        calls.about(request.getName());
        var take = SnapshotRequests.take(request);
        calls.answer(
                out,
                work -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(Responses.snapshot(useCases.takeSnapshot()
                                .take(take.name(), take.sourceVolume(), take.parameters(), work)))
                        .build());
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> out) {
        calls.about(request.getSnapshotId());
        String handle = FieldChecks.handle("snapshot_id", request.getSnapshotId());
        calls.answer(out, work -> {
            useCases.deleteSnapshot().delete(handle, work);
            return DeleteSnapshotResponse.getDefaultInstance();
        });
    }

    @Override
    public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> out) {
        calls.about(request.getSnapshotId());
        String handle = FieldChecks.handle("snapshot_id", request.getSnapshotId());
        calls.answer(
                out,
                work -> GetSnapshotResponse.newBuilder()
                        .setSnapshot(Responses.snapshot(useCases.getSnapshot().get(handle, work)))
                        .build());
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> out) {
        calls.about(request.getSnapshotId().isEmpty() ? request.getSourceVolumeId() : request.getSnapshotId());
        var query = SnapshotRequests.list(request);
        calls.answer(out, work -> Responses.snapshots(useCases.listSnapshots().list(query, work)));
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> out) {
        out.onNext(CapabilityEncoder.controller(profile));
        out.onCompleted();
    }
}
