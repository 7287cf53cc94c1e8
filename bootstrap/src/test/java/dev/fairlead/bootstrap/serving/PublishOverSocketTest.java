package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability.RPC;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.Volume;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code fairlead.publish} of the main file makes of a whole process. */
class PublishOverSocketTest {
    private static final String CLOSING = ProxySteps.PROXY + "fairlead: {publish: nodes}\n";

    @TempDir
    Path folder;

    private static List<RPC.Type> capabilities(RunningDriver driver) {
        return driver
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(capability -> capability.getRpc().getType())
                .toList();
    }

    private static ControllerPublishVolumeRequest publish(String volume, String node) {
        return ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volume)
                .setNodeId(node)
                .setVolumeCapability(RunningDriver.volume("any", Map.of()).getVolumeCapabilities(0))
                .build();
    }

    private static ControllerUnpublishVolumeRequest unpublish(String volume, String node) {
        return ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume)
                .setNodeId(node)
                .build();
    }

    /** A directory of the node cannot be closed: to publish it is to do nothing, once it is known to be there. */
    @Test
    void a_process_that_publishes_answers_for_volumes_that_are_open() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder)
                .env("CSI_NODE_ID", "node-1")
                .main(CLOSING)
                .localConnection("a", ProxySteps.ZONE.formatted("zone1"))
                .start("controller", "node")) {
            assertThat(capabilities(driver)).contains(RPC.Type.PUBLISH_UNPUBLISH_VOLUME, RPC.Type.PUBLISH_READONLY);
            Volume volume = ProxySteps.create(driver, "pvc-1", Map.of("connection", "a"));
            String node = driver.node()
                    .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                    .getNodeId();

            assertThat(driver.controller()
                            .controllerPublishVolume(publish(volume.getVolumeId(), node))
                            .getPublishContextMap())
                    .isEmpty();
            ProxySteps.assertRefused(
                    Status.Code.NOT_FOUND,
                    () -> driver.controller().controllerPublishVolume(publish(volume.getVolumeId(), "nobody")));
            ProxySteps.assertRefused(
                    Status.Code.NOT_FOUND,
                    () -> driver.controller().controllerPublishVolume(publish("v:a/pvc-none", node)));

            var _ = driver.controller().controllerUnpublishVolume(unpublish(volume.getVolumeId(), node));
            var _ = driver.controller().controllerUnpublishVolume(unpublish(volume.getVolumeId(), ""));
            var _ = driver.controller().controllerUnpublishVolume(unpublish("v:a/pvc-none", "nobody"));
        }
    }

    @Test
    void a_process_that_was_not_asked_to_publishes_nothing() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder)
                .main(ProxySteps.PROXY)
                .localConnection("a", ProxySteps.ZONE.formatted("zone1"))
                .start("controller")) {
            assertThat(capabilities(driver))
                    .doesNotContain(RPC.Type.PUBLISH_UNPUBLISH_VOLUME, RPC.Type.PUBLISH_READONLY);
            ProxySteps.assertRefused(
                    Status.Code.UNIMPLEMENTED,
                    () -> driver.controller().controllerPublishVolume(publish("v:a/pvc-1", "n=node-1")));
        }
    }
}
