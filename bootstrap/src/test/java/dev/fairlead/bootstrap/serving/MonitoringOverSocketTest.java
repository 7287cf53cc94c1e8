package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.ProbeRequest;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;

@Timeout(60)
class MonitoringOverSocketTest {
    private static final String PROXY = """
            driver: proxy
            proxy:
              configFolder: "@DIR@/connections"
              nodeTopology: {type: node}
            """;
    private static final String SECRET = "s3cr3t-p4ssw0rd";

    @TempDir
    Path folder;

    private RunningDriver driver() throws Exception {
        return new RunningDriver(folder).main(PROXY).env("CSI_NODE_ID", "n1").option("--http-endpoint=127.0.0.1:0");
    }

    @Test
    void calls_and_effects_are_counted_where_they_happen() throws Exception {
        try (RunningDriver driver = driver().localConnection("nas", "").start()) {
            String id = driver.controller()
                    .createVolume(RunningDriver.volume("pvc-1", Map.of("connection", "nas"))
                            .build())
                    .getVolume()
                    .getVolumeId();
            driver.controller()
                    .deleteVolume(
                            DeleteVolumeRequest.newBuilder().setVolumeId(id).build());

            assertThat(driver.http("/metrics"))
                    .contains(
                            "fairlead_csi_operations_seconds_count{driver_name=\"test.fairlead.dev\","
                                    + "grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\"} 1",
                            "fairlead_effects_seconds_count{connection=\"nas\",effect=\"mkdir\",outcome=\"done\"}",
                            "fairlead_connection_state{connection=\"nas\",state=\"serving\"} 1.0",
                            "fairlead_connection_calls{connection=\"nas\"} 0.0",
                            "fairlead_connection_loads_total{connection=\"nas\",result=\"loaded\"} 1.0");
            assertThat(driver.http("/livez")).contains(" 200 ", "csi test.fairlead.dev: answers");
            assertThat(driver.http("/readyz")).contains(" 200 ");
        }
    }

    @Test
    void a_node_is_ready_when_kubelet_has_registered_it() throws Exception {
        Path registry = Files.createDirectory(folder.resolve("registry"));
        Path socket = registry.resolve("test.fairlead.dev-reg.sock");
        try (RunningDriver node =
                driver().option("--registration-dir=" + registry).start("node")) {
            while (!Files.exists(socket)) {
                Thread.onSpinWait();
            }
            String before = node.http("/readyz");

            asKubeletTell(socket, true);

            assertThat(before).contains(" 503 ", "kubelet test.fairlead.dev: announced");
            assertThat(node.http("/readyz")).contains(" 200 ", "kubelet test.fairlead.dev: registered");
            assertThat(node.http("/metrics"))
                    .contains("fairlead_kubelet_registered{driver_name=\"test.fairlead.dev\"} 1.0");
            Files.delete(socket);
            while (!Files.exists(socket)) {
                Thread.onSpinWait();
            }
        }

        assertThat(registry).isEmptyDirectory();
    }

    private static void asKubeletTell(Path socket, boolean registered) {
        var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        var channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            var _ = RegistrationGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .notifyRegistrationStatus(RegistrationStatus.newBuilder()
                            .setPluginRegistered(registered)
                            .build());
        } finally {
            channel.shutdownNow();
            var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void no_secret_can_be_scraped_wherever_it_comes_in() throws Exception {
        RunningDriver made = driver().env("PASSWORD", SECRET)
                .localConnection("nas", "sshConnection: {password: " + SECRET + "}\n")
                .connection("broken", "driver: " + SECRET + "\npassword: " + SECRET + "\n");
        try (RunningDriver driver = made.start()) {
            CreateVolumeRequest create = RunningDriver.volume(
                            SECRET, Map.of("connection", "nas", "fsType", SECRET, "any", SECRET))
                    .putSecrets("password", SECRET)
                    .build();
            String id = driver.controller().createVolume(create).getVolume().getVolumeId();
            refused(() -> driver.controller()
                    .createVolume(create.toBuilder()
                            .putParameters("connection", SECRET)
                            .build()));
            refused(() -> driver.node()
                    .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                            .setVolumeId(id)
                            .setStagingTargetPath("/" + SECRET)
                            .setVolumeCapability(RunningDriver.mounted())
                            .putSecrets("password", SECRET)
                            .putVolumeContext("node_attach_driver", SECRET)
                            .build()));
            refused(() -> driver.node()
                    .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                            .setVolumeId(SECRET)
                            .setTargetPath("/" + SECRET)
                            .setVolumeCapability(RunningDriver.mounted())
                            .putPublishContext("p", SECRET)
                            .build()));
            var _ = driver.identity().probe(ProbeRequest.getDefaultInstance());

            String scrape = driver.http("/metrics");

            assertThat(scrape).doesNotContain(SECRET).contains("NodeStageVolume", "InvalidArgument");
            assertThat(driver.http("/readyz") + driver.http("/livez") + driver.http("/" + SECRET))
                    .doesNotContain(SECRET);
        }
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void a_connection_s_series_go_with_its_file() throws Exception {
        try (RunningDriver driver = driver().localConnection("nas", "").start()) {
            var _ = driver.controller()
                    .createVolume(RunningDriver.volume("pvc-1", Map.of("connection", "nas"))
                            .build());
            assertThat(driver.http("/metrics")).contains("connection=\"nas\"");

            Files.delete(folder.resolve("connections/nas.yaml"));

            String scrape = driver.http("/metrics");
            while (scrape.contains("connection=\"nas\"")) {
                scrape = driver.http("/metrics");
            }
            assertThat(scrape).contains("fairlead_build_info");
        }
    }

    @Test
    void nothing_listens_where_nothing_was_asked_for() throws Exception {
        try (RunningDriver driver = new RunningDriver(folder).main(PROXY).start("controller")) {
            assertThatThrownBy(() -> driver.http("/livez")).isInstanceOf(java.util.NoSuchElementException.class);
        }
    }
}
