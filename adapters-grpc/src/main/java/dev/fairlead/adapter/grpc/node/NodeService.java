package dev.fairlead.adapter.grpc.node;

import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeExpandVolumeResponse;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetCapabilitiesResponse;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetInfoResponse;
import csi.v1.NodeGetStorageHealthRequest;
import csi.v1.NodeGetStorageHealthResponse;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeHealthResponse;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.NodeGrpc;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodePublishVolumeResponse;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeStageVolumeResponse;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeResponse;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.NodeUnstageVolumeResponse;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.adapter.grpc.message.CapabilityEncoder;
import dev.fairlead.adapter.grpc.message.HealthResponses;
import dev.fairlead.adapter.grpc.message.Responses;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MeasureVolume.Usage;
import dev.fairlead.domain.capacity.Capacity;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** Serves CSI's Node: decodes, calls the use case, encodes. RPCs that are not offered are not here. */
public final class NodeService extends NodeGrpc.NodeImplBase {
    private final DriverProfile profile;
    private final NodeUseCases useCases;
    private final UnaryCall calls;

    public NodeService(DriverProfile profile, NodeUseCases useCases, UnaryCall calls) {
        this.profile = profile;
        this.useCases = useCases;
        this.calls = calls;
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var command = NodeRequests.stage(request);
        calls.answer(out, work -> {
            useCases.stageVolume().stage(command, work);
            return NodeStageVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var place = NodeRequests.unstage(request);
        calls.answer(out, work -> {
            useCases.unstageVolume().unstage(place.handle(), place.path(), work);
            return NodeUnstageVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var command = NodeRequests.publish(request);
        calls.answer(out, work -> {
            useCases.mountVolume().mount(command, work);
            return NodePublishVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var place = NodeRequests.unpublish(request);
        calls.answer(out, work -> {
            useCases.unmountVolume().unmount(place.handle(), place.path(), work);
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodeGetVolumeStats(NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> out) {
        calls.about(request.getVolumeId());
        var place = NodeRequests.stats(request);
        calls.answer(out, work -> {
            Usage usage = useCases.measureVolume().measure(place.handle(), place.path(), work);
            return profile.node().contains(DriverProfile.Node.VOLUME_CONDITION)
                    ? HealthResponses.usage(
                            usage, useCases.reportHealth().ofVolume(place.handle(), List.of(place.path()), work))
                    : Responses.usage(usage);
        });
    }

    @Override
    public void nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> out) {
        calls.about(request.getVolumeId());
        var places = NodeRequests.health(request);
        calls.answer(
                out,
                work -> HealthResponses.volume(
                        places.handle(), useCases.reportHealth().ofVolume(places.handle(), places.paths(), work)));
    }

    @Override
    public void nodeGetStorageHealth(
            NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> out) {
        calls.answer(
                out, work -> HealthResponses.storage(useCases.reportHealth().ofStorage(work)));
    }

    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> out) {
        calls.about(request.getVolumeId());
        var growth = NodeRequests.expand(request);
        calls.answer(
                out,
                work -> NodeExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(useCases.growFilesystem()
                                .grow(growth.handle(), growth.path(), growth.range(), work)
                                .orElse(Capacity.ZERO)
                                .bytes())
                        .build());
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> out) {
        calls.answer(out, _ -> Responses.node(useCases.describeNode().describe()));
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> out) {
        out.onNext(CapabilityEncoder.node(profile));
        out.onCompleted();
    }
}
