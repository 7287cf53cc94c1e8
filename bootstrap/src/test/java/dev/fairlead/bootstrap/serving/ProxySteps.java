package dev.fairlead.bootstrap.serving;

import static dev.fairlead.bootstrap.serving.RunningDriver.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CreateSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A proxy with connections in zones, and calls on it that tests make again and again. */
final class ProxySteps {
    static final String PROXY = """
            driver: proxy
            proxy:
              configFolder: "@DIR@/connections"
              nodeTopology:
                type: zone
                fromRegexp:
                  - {topologyKey: zone, source: nodeName}
            """;
    static final String ZONE = """
            proxy:
              perDriver:
                topology:
                  - requirements: {region: region1, zone: %s}
            """;

    private ProxySteps() {}

    /** Two connections in one zone, a third in another. */
    static RunningDriver zones(Path folder) throws IOException, InterruptedException {
        return new RunningDriver(folder)
                .main(PROXY)
                .localConnection("a", ZONE.formatted("zone1"))
                .localConnection("b", ZONE.formatted("zone1") + "fairlead: {labels: {tier: fast}}\n")
                .localConnection("c", ZONE.formatted("zone2"))
                .start("controller");
    }

    static Volume create(RunningDriver driver, String name, Map<String, String> parameters) {
        return driver.controller()
                .createVolume(volume(name, parameters).build())
                .getVolume();
    }

    static String snapshot(RunningDriver driver, Volume source) {
        return driver.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName("snapshot-1")
                        .setSourceVolumeId(source.getVolumeId())
                        .build())
                .getSnapshot()
                .getSnapshotId();
    }

    static void delete(RunningDriver driver, String handle) {
        var _ = driver.controller()
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(handle).build());
    }

    static void assertRefused(Status.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
    }
}
