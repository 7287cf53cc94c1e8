package dev.fairlead.adapter.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.VolumeCapability;
import dev.fairlead.adapter.grpc.UseCaseFakes;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ControllerPublishVolume and its way back, as they come over the socket. */
class PublishOverWireTest {
    private static final Wire wire = new Wire();
    private static final ControllerPublishVolumeRequest PUBLISH = ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId("v:tank/pvc-1")
            .setNodeId("n=worker-1/a=10.0.0.1")
            .setVolumeCapability(VolumeCapability.newBuilder()
                    .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                    .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                            .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
            .setReadonly(true)
            .putSecrets("password", "hunter2")
            .putVolumeContext("node_attach_driver", "nfs")
            .build();

    @BeforeEach
    void forget() {
        wire.useCases.calls.clear();
        wire.useCases.script(_ -> "plain");
    }

    @AfterAll
    static void close() throws Exception {
        wire.close();
    }

    @Test
    void what_a_node_has_to_know_is_answered() {
        wire.useCases.script(_ -> Map.of("device", "/dev/drbd1000"));

        var answer = wire.controller().controllerPublishVolume(PUBLISH);

        assertThat(answer.getPublishContextMap()).containsExactly(Map.entry("device", "/dev/drbd1000"));
    }

    @Test
    void publishing_hands_over_every_field_and_answers_an_empty_context() {
        var answer = wire.controller().controllerPublishVolume(PUBLISH);

        assertThat(answer.getPublishContextMap()).isEmpty();
        assertThat(wire.useCases.onlyCall().useCase()).isEqualTo("publishVolume");
        assertThat(wire.useCases.onlyCall().arguments())
                .containsExactly(new PublishVolume.Command(
                        "v:tank/pvc-1",
                        "n=worker-1/a=10.0.0.1",
                        new dev.fairlead.domain.volume.VolumeCapability(
                                new dev.fairlead.domain.volume.VolumeCapability.Block(),
                                AccessMode.MULTI_NODE_MULTI_WRITER),
                        true));
        assertThat(wire.useCases.onlyCall().work().what()).isEqualTo("ControllerPublishVolume v:tank/pvc-1");
    }

    @Test
    void unpublishing_from_a_node_or_from_all_of_them_is_told_apart() {
        var request = ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("v:tank/pvc-1");

        var _ = wire.controller()
                .controllerUnpublishVolume(
                        request.clone().setNodeId("n=worker-1").build());
        var _ = wire.controller().controllerUnpublishVolume(request.build());

        assertThat(wire.useCases.calls.stream().map(UseCaseFakes.Call::arguments))
                .containsExactly(
                        List.of("v:tank/pvc-1", Optional.of("n=worker-1")), List.of("v:tank/pvc-1", Optional.empty()));
    }

    @Test
    void refusals_have_the_codes_of_the_spec() {
        assertThat(refused(new Failure.NodeNotFound("x"))).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refused(new Failure.NodeUnfit("v", "n", "lacks", "do"))).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(refused(new Failure.PublishedToOtherNode("v", "other", "SINGLE_NODE_WRITER")))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(refused(new Failure.PublishConflict("v", "n", "readonly"))).isEqualTo(Status.Code.ALREADY_EXISTS);
    }

    private static Status.Code refused(Failure failure) {
        wire.useCases.script(_ -> {
            throw new StorageException(failure);
        });
        return Wire.refused(() -> wire.controller().controllerPublishVolume(PUBLISH))
                .getCode();
    }

    @Test
    void a_driver_that_does_not_publish_neither_says_so_nor_answers() throws IOException {
        Set<DriverProfile.Controller> without = EnumSet.complementOf(EnumSet.of(
                DriverProfile.Controller.PUBLISH_UNPUBLISH_VOLUME, DriverProfile.Controller.PUBLISH_READONLY));
        DriverProfile all = UseCaseFakes.profile("org.example");
        DriverProfile profile = new DriverProfile(
                all.name(), all.vendorVersion(), all.services(), all.expansion(), without, all.node());

        assertThat(types(profile))
                .doesNotContain(
                        ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                        ControllerServiceCapability.RPC.Type.PUBLISH_READONLY);
        assertThat(types(all))
                .contains(
                        ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                        ControllerServiceCapability.RPC.Type.PUBLISH_READONLY);
        try (Wire own = new Wire(profile, Duration.ofSeconds(30))) {
            assertThat(Wire.refused(() -> own.controller().controllerPublishVolume(PUBLISH))
                            .getCode())
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(Wire.refused(() -> own.controller()
                                    .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.getDefaultInstance()))
                            .getCode())
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
        }
    }

    private static List<ControllerServiceCapability.RPC.Type> types(DriverProfile profile) {
        return CapabilityEncoder.controller(profile).getCapabilitiesList().stream()
                .map(capability -> capability.getRpc().getType())
                .toList();
    }
}
