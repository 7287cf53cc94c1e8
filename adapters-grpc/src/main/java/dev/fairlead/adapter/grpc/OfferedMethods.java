package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.controller.ControllerService;
import dev.fairlead.adapter.grpc.node.NodeService;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Node;
import io.grpc.BindableService;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.Map;
import java.util.function.Predicate;

/** Leaves out of a service what the driver's profile does not offer: gRPC then answers UNIMPLEMENTED by itself. */
final class OfferedMethods {
    private static final Map<String, Controller> CONTROLLER = Map.ofEntries(
            Map.entry("CreateVolume", Controller.CREATE_DELETE_VOLUME),
            Map.entry("DeleteVolume", Controller.CREATE_DELETE_VOLUME),
            Map.entry("ControllerPublishVolume", Controller.PUBLISH_UNPUBLISH_VOLUME),
            Map.entry("ControllerUnpublishVolume", Controller.PUBLISH_UNPUBLISH_VOLUME),
            Map.entry("ListVolumes", Controller.LIST_VOLUMES),
            Map.entry("GetCapacity", Controller.GET_CAPACITY),
            Map.entry("CreateSnapshot", Controller.CREATE_DELETE_SNAPSHOT),
            Map.entry("DeleteSnapshot", Controller.CREATE_DELETE_SNAPSHOT),
            Map.entry("ListSnapshots", Controller.LIST_SNAPSHOTS),
            Map.entry("GetSnapshot", Controller.GET_SNAPSHOT),
            Map.entry("ControllerExpandVolume", Controller.EXPAND_VOLUME),
            Map.entry("ControllerModifyVolume", Controller.MODIFY_VOLUME),
            Map.entry("ControllerGetVolume", Controller.GET_VOLUME));

    private static final Map<String, Node> NODE = Map.of(
            "NodeStageVolume", Node.STAGE_UNSTAGE_VOLUME,
            "NodeUnstageVolume", Node.STAGE_UNSTAGE_VOLUME,
            "NodeGetVolumeStats", Node.GET_VOLUME_STATS,
            "NodeExpandVolume", Node.EXPAND_VOLUME,
            "NodeGetVolumeHealth", Node.GET_VOLUME_HEALTH,
            "NodeGetStorageHealth", Node.GET_STORAGE_HEALTH);

    private OfferedMethods() {}

    static ServerServiceDefinition of(ControllerService service, DriverProfile profile) {
        return only(service, method -> {
            Controller capability = CONTROLLER.get(method);
            return capability == null || profile.controller().contains(capability);
        });
    }

    static ServerServiceDefinition of(NodeService service, DriverProfile profile) {
        return only(service, method -> {
            Node capability = NODE.get(method);
            return capability == null || profile.node().contains(capability);
        });
    }

    private static ServerServiceDefinition only(BindableService service, Predicate<String> offered) {
        ServerServiceDefinition whole = service.bindService();
        ServerServiceDefinition.Builder kept =
                ServerServiceDefinition.builder(whole.getServiceDescriptor().getName());
        for (ServerMethodDefinition<?, ?> method : whole.getMethods()) {
            String name = method.getMethodDescriptor().getBareMethodName();
            if (name != null && offered.test(name)) {
                kept.addMethod(method);
            }
        }
        return kept.build();
    }
}
