package dev.fairlead.adapter.grpc;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.domain.node.NodeIdCodec;
import java.util.Optional;

/** Decodes the requests that publish volumes to nodes. The use cases know which nodes there are. */
final class PublishRequests {
    private PublishRequests() {}

    static PublishVolume.Command publish(ControllerPublishVolumeRequest request) {
        String handle = Fields.handle("volume_id", request.getVolumeId());
        if (request.getNodeId().isEmpty()) {
            throw Fields.invalid("node_id", "is missing (expected: the id of a node)");
        }
        String node = Fields.text("node_id", request.getNodeId(), NodeIdCodec.MAX_BYTES);
        Fields.map("volume_context", request.getVolumeContextMap());
        return new PublishVolume.Command(
                handle,
                node,
                CapabilityMapper.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                request.getReadonly());
    }

    /** Returns the node to unpublish from; empty for all nodes. */
    static Optional<String> node(ControllerUnpublishVolumeRequest request) {
        return Fields.given("node_id", request.getNodeId(), NodeIdCodec.MAX_BYTES);
    }
}
