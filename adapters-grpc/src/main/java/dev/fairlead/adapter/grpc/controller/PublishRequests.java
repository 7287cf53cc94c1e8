package dev.fairlead.adapter.grpc.controller;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import dev.fairlead.adapter.grpc.message.CapabilityMapper;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.node.NodeIdCodec;
import java.util.Optional;

/** Decodes the requests that publish volumes to nodes. The use cases know which nodes there are. */
final class PublishRequests {
    private PublishRequests() {}

    static PublishVolume.Command publish(ControllerPublishVolumeRequest request) {
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        if (request.getNodeId().isEmpty()) {
            throw FieldChecks.invalid("node_id", "is missing (expected: the id of a node)");
        }
        String node = FieldChecks.text("node_id", request.getNodeId(), NodeIdCodec.MAX_BYTES);
        FieldChecks.map("volume_context", request.getVolumeContextMap());
        return new PublishVolume.Command(
                handle,
                node,
                CapabilityMapper.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                request.getReadonly());
    }

    /** Returns the node to unpublish from; empty for all nodes. */
    static Optional<String> node(ControllerUnpublishVolumeRequest request) {
        return FieldChecks.given("node_id", request.getNodeId(), NodeIdCodec.MAX_BYTES);
    }
}
