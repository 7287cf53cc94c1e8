package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGrpc;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeServiceCapability;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.PluginCapability;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.fairlead.adapter.grpc.message.CapabilityEncoder;
import dev.fairlead.application.port.in.DriverProfile;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class IdentityServiceTest {
    private static final DriverProfile FEW = new DriverProfile(
            "few.example.org",
            "9",
            Set.of(DriverProfile.Service.VOLUME_ACCESSIBILITY_CONSTRAINTS, DriverProfile.Service.CONTROLLER_SERVICE),
            Set.of(DriverProfile.Expansion.ONLINE),
            Set.of(DriverProfile.Controller.GET_CAPACITY, DriverProfile.Controller.CREATE_DELETE_VOLUME),
            Set.of(DriverProfile.Node.GET_VOLUME_STATS));

    private static final Wire wire = new Wire(FEW, Duration.ofSeconds(30));

    @AfterAll
    static void close() throws IOException {
        wire.close();
    }

    @Test
    void tells_the_name_and_version_of_its_profile() {
        var info = wire.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());

        assertThat(info.getName()).isEqualTo("few.example.org");
        assertThat(info.getVendorVersion()).isEqualTo("9");
    }

    @Test
    void plugin_capabilities_are_those_of_the_profile() {
        var answer = wire.identity().getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());

        assertThat(answer.getCapabilitiesList().stream()
                        .filter(PluginCapability::hasService)
                        .map(c -> c.getService().getType()))
                .containsExactly(
                        PluginCapability.Service.Type.CONTROLLER_SERVICE,
                        PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        assertThat(answer.getCapabilitiesList().stream()
                        .filter(PluginCapability::hasVolumeExpansion)
                        .map(c -> c.getVolumeExpansion().getType()))
                .containsExactly(PluginCapability.VolumeExpansion.Type.ONLINE);
    }

    @Test
    void controller_and_node_capabilities_are_those_of_the_profile() {
        var controller =
                wire.controller().controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance());
        var node = wire.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());

        assertThat(types(controller))
                .containsExactly(
                        ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME,
                        ControllerServiceCapability.RPC.Type.GET_CAPACITY);
        assertThat(node.getCapabilitiesList())
                .singleElement()
                .satisfies(c ->
                        assertThat(c.getRpc().getType()).isEqualTo(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS));
    }

    @Test
    void every_capability_that_a_profile_can_have_is_one_of_csi() {
        var all = CapabilityEncoder.controller(UseCaseFakes.profile("all.example.org"));

        assertThat(types(all)).hasSize(DriverProfile.Controller.values().length);
        assertThat(CapabilityEncoder.node(UseCaseFakes.profile("all.example.org"))
                        .getCapabilitiesCount())
                .isEqualTo(DriverProfile.Node.values().length);
        assertThat(CapabilityEncoder.plugin(UseCaseFakes.profile("all.example.org"))
                        .getCapabilitiesCount())
                .isEqualTo(DriverProfile.Service.values().length + DriverProfile.Expansion.values().length);
    }

    private static List<ControllerServiceCapability.RPC.Type> types(ControllerGetCapabilitiesResponse response) {
        return response.getCapabilitiesList().stream()
                .map(c -> c.getRpc().getType())
                .toList();
    }

    @Test
    void probe_is_ready_and_asks_no_use_case() {
        var answer = wire.identity().probe(ProbeRequest.getDefaultInstance());

        assertThat(answer.getReady().getValue()).isTrue();
        assertThat(wire.useCases.calls).isEmpty();
    }

    @Test
    void probe_is_not_ready_once_the_process_is_going() {
        var answers = new ArrayList<ProbeResponse>();
        var going = new IdentityService(FEW, () -> false);

        going.probe(ProbeRequest.getDefaultInstance(), new StreamObserver<>() {
            @Override
            public void onNext(ProbeResponse value) {
                answers.add(value);
            }

            @Override
            public void onError(Throwable t) {
                throw new AssertionError(t);
            }

            @Override
            public void onCompleted() {}
        });

        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.getReady().getValue()).isFalse());
    }

    @Test
    void what_the_profile_does_not_offer_is_unimplemented() {
        List<Supplier<?>> notOffered = List.of(
                () -> wire.controller().listVolumes(ListVolumesRequest.getDefaultInstance()),
                () -> wire.controller().getSnapshot(GetSnapshotRequest.getDefaultInstance()),
                () -> wire.controller().controllerModifyVolume(ControllerModifyVolumeRequest.getDefaultInstance()),
                () -> GroupControllerGrpc.newBlockingStub(wire.channel)
                        .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance()),
                () -> wire.controller().controllerPublishVolume(ControllerPublishVolumeRequest.getDefaultInstance()),
                () -> wire.node().nodeStageVolume(NodeStageVolumeRequest.getDefaultInstance()));

        assertThat(notOffered)
                .allSatisfy(call -> assertThat(Wire.refused(call).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
    }

    @Test
    void what_no_profile_can_offer_is_unimplemented() throws IOException {
        try (Wire all = new Wire()) {
            List<Supplier<?>> notOffered = List.of(() ->
                    all.controller().controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.getDefaultInstance()));

            assertThat(notOffered)
                    .allSatisfy(call -> assertThat(Wire.refused(call).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
        }
    }
}
