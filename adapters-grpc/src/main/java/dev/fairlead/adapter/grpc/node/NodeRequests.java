package dev.fairlead.adapter.grpc.node;

import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeHealthRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import dev.fairlead.adapter.grpc.message.CapabilityMapper;
import dev.fairlead.adapter.grpc.message.FieldChecks;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decodes the requests to a node. */
final class NodeRequests {
    private NodeRequests() {}

    /** Names a volume and where it is on this node. */
    record Place(String handle, Path path) {}

    /** Names a volume and where it may be on this node. */
    record Places(String handle, List<Path> paths) {
        Places {
            paths = List.copyOf(paths);
        }
    }

    /** Names a volume, where it is on this node, and how large its user wants to see it. */
    record Growth(String handle, Path path, CapacityRange range) {}

    static StageVolume.Command stage(NodeStageVolumeRequest request) {
        return new StageVolume.Command(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                FieldChecks.path("staging_target_path", request.getStagingTargetPath()),
                CapabilityMapper.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                FieldChecks.map("volume_context", request.getVolumeContextMap()),
                FieldChecks.map("publish_context", request.getPublishContextMap()),
                FieldChecks.secrets("secrets", request.getSecretsMap()));
    }

    static Place unstage(NodeUnstageVolumeRequest request) {
        return new Place(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                FieldChecks.path("staging_target_path", request.getStagingTargetPath()));
    }

    static MountVolume.Command publish(NodePublishVolumeRequest request) {
        return new MountVolume.Command(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                FieldChecks.givenPath("staging_target_path", request.getStagingTargetPath()),
                FieldChecks.path("target_path", request.getTargetPath()),
                CapabilityMapper.required(request.hasVolumeCapability(), request.getVolumeCapability()),
                request.getReadonly(),
                FieldChecks.map("volume_context", request.getVolumeContextMap()),
                FieldChecks.map("publish_context", request.getPublishContextMap()));
    }

    static Place unpublish(NodeUnpublishVolumeRequest request) {
        return new Place(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                FieldChecks.path("target_path", request.getTargetPath()));
    }

    static Place stats(NodeGetVolumeStatsRequest request) {
        FieldChecks.givenPath("staging_target_path", request.getStagingTargetPath());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        return new Place(handle, whereMounted(handle, request.getVolumePath()));
    }

    /** Returns the paths at which the volume may be, first where it is staged. */
    static Places health(NodeGetVolumeHealthRequest request) {
        return new Places(
                FieldChecks.handle("volume_id", request.getVolumeId()),
                Stream.of(
                                FieldChecks.givenPath("staging_target_path", request.getStagingTargetPath()),
                                FieldChecks.givenPath("volume_publish_path", request.getVolumePublishPath()))
                        .flatMap(Optional::stream)
                        .toList());
    }

    static Growth expand(NodeExpandVolumeRequest request) {
        if (request.hasVolumeCapability()) {
            CapabilityMapper.one("volume_capability", request.getVolumeCapability());
        }
        FieldChecks.givenPath("staging_target_path", request.getStagingTargetPath());
        String handle = FieldChecks.handle("volume_id", request.getVolumeId());
        return new Growth(
                handle,
                whereMounted(handle, request.getVolumePath()),
                CapabilityMapper.range(request.hasCapacityRange(), request.getCapacityRange()));
    }

    /**
     * Returns the path at which a volume is mounted, or throws {@code VolumeNotFound} if it is relative: no volume is
     * ever mounted there, and the conformance suite asks for a missing volume in this way.
     */
    private static Path whereMounted(String handle, String path) {
        if (!path.isEmpty() && !path.startsWith("/")) {
            throw new StorageException(new Failure.VolumeNotFound(handle));
        }
        return FieldChecks.path("volume_path", path);
    }
}
