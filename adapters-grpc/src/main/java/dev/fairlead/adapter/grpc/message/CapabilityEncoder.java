package dev.fairlead.adapter.grpc.message;

import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.NodeGetCapabilitiesResponse;
import csi.v1.NodeServiceCapability;
import csi.v1.PluginCapability;
import dev.fairlead.application.port.in.DriverProfile;

/** Encodes what a driver's profile offers, in the order of the spec; the profile's names are the spec's. */
public final class CapabilityEncoder {
    /** The number that CSI had for it until 1.12, and reserves now. */
    private static final int VOLUME_CONDITION = 4;

    private CapabilityEncoder() {}

    public static GetPluginCapabilitiesResponse plugin(DriverProfile profile) {
        GetPluginCapabilitiesResponse.Builder response = GetPluginCapabilitiesResponse.newBuilder();
        profile.services().stream()
                .sorted()
                .map(service -> PluginCapability.Service.Type.valueOf(service.name()))
                .forEach(type -> response.addCapabilities(PluginCapability.newBuilder()
                        .setService(PluginCapability.Service.newBuilder().setType(type))));
        profile.expansion().stream()
                .sorted()
                .map(expansion -> PluginCapability.VolumeExpansion.Type.valueOf(expansion.name()))
                .forEach(type -> response.addCapabilities(PluginCapability.newBuilder()
                        .setVolumeExpansion(
                                PluginCapability.VolumeExpansion.newBuilder().setType(type))));
        return response.build();
    }

    public static ControllerGetCapabilitiesResponse controller(DriverProfile profile) {
        ControllerGetCapabilitiesResponse.Builder response = ControllerGetCapabilitiesResponse.newBuilder();
        profile.controller().stream()
                .sorted()
                .map(rpc -> ControllerServiceCapability.RPC.Type.valueOf(rpc.name()))
                .forEach(type -> response.addCapabilities(ControllerServiceCapability.newBuilder()
                        .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))));
        return response.build();
    }

    public static NodeGetCapabilitiesResponse node(DriverProfile profile) {
        NodeGetCapabilitiesResponse.Builder response = NodeGetCapabilitiesResponse.newBuilder();
        profile.node().stream()
                .sorted()
                .forEach(rpc -> response.addCapabilities(NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC.newBuilder().setTypeValue(number(rpc)))));
        return response.build();
    }

    private static int number(DriverProfile.Node rpc) {
        return rpc == DriverProfile.Node.VOLUME_CONDITION
                ? VOLUME_CONDITION
                : NodeServiceCapability.RPC.Type.valueOf(rpc.name()).getNumber();
    }
}
