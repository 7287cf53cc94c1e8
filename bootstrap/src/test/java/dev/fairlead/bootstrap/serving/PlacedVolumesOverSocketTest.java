package dev.fairlead.bootstrap.serving;

import static dev.fairlead.bootstrap.serving.RunningDriver.term;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.application.port.in.DriverProfile;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.InMemoryReplicas;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.ReplicaExporter;
import dev.fairlead.testkit.fake.TestVolumes;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CSI server over a storage that places each volume and makes it available on single nodes. */
class PlacedVolumesOverSocketTest {
    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final String VOLUME = "v:nas/pvc-1";

    @TempDir
    Path folder;

    private final InMemoryReplicas nas = InMemoryReplicas.of(InMemoryStorage.named("nas"), 2, "a", "b", "c");
    private Optional<Connections> connections = Optional.empty();
    private Optional<GrpcServer> server = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();

    @BeforeEach
    void serve() {
        var telemetry = new Telemetry() {};
        var clock = new MonotonicClock();
        var open = new Connections(Thread.ofPlatform().daemon().factory(), clock, telemetry);
        var settings = new BackendSettingsBuilder().build();
        open.install(new Backend(new ConnectionName("nas"), "memory", nas.store(), nas.exporter(), settings));
        connections = Optional.of(open);
        var useCases = UseCases.controller(
                open,
                new HandleCodec.Proxied(),
                new KeyedLocks(clock),
                Optional.empty(),
                NodeIdCodec.PLAIN,
                telemetry,
                Whereabouts.NONE);
        var profile = new DriverProfile(
                "test.fairlead.dev",
                "1",
                EnumSet.allOf(DriverProfile.Service.class),
                Set.of(),
                EnumSet.allOf(DriverProfile.Controller.class),
                Set.of());
        Path socket = folder.resolve("csi.sock");
        var endpoint = GrpcSettings.Endpoint.ofSocket(socket.toString(), "0600");
        var serving = new GrpcServer(
                GrpcSettings.of(List.of(new GrpcSettings.DriverEndpoints(profile, List.of(endpoint)))),
                Optional.of(useCases),
                Optional.empty(),
                UseCases.works(clock, telemetry, () -> false),
                task -> Thread.ofVirtual().start(task),
                GrpcServer.RpcListener.NONE);
        serving.start();
        server = Optional.of(serving);
        channel = Optional.of(NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(LOOP)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build());
    }

    @AfterEach
    void end() throws InterruptedException {
        channel.ifPresent(ManagedChannel::shutdownNow);
        var _ = server.orElseThrow().drain(Duration.ofSeconds(5));
        connections.ifPresent(Connections::close);
    }

    private ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.orElseThrow());
    }

    private Volume create(String... nodes) {
        var wanted = TopologyRequirement.newBuilder();
        for (String node : nodes) {
            wanted.addRequisite(term("node", node)).addPreferred(term("node", node));
        }
        return controller()
                .createVolume(RunningDriver.volume("pvc-1", Map.of("connection", "nas"))
                        .setAccessibilityRequirements(wanted)
                        .build())
                .getVolume();
    }

    private List<Topology> gotten() {
        return controller()
                .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                        .setVolumeId(VOLUME)
                        .build())
                .getVolume()
                .getAccessibleTopologyList();
    }

    private List<Topology> listed() {
        return controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntries(0)
                .getVolume()
                .getAccessibleTopologyList();
    }

    private Map<String, String> publish(String node) {
        return controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(VOLUME)
                        .setNodeId(node)
                        .setVolumeCapability(RunningDriver.mounted())
                        .build())
                .getPublishContextMap();
    }

    private void unpublish(String node) {
        var _ = controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(VOLUME)
                        .setNodeId(node)
                        .build());
    }

    @Test
    void a_volume_is_made_where_it_is_required_and_its_replicas_are_followed() {
        Volume made = create("c", "b");

        assertThat(made.getVolumeId()).isEqualTo(VOLUME);
        assertThat(made.getAccessibleTopologyList()).containsExactly(term("node", "c"), term("node", "b"));
        assertThat(gotten()).isEqualTo(made.getAccessibleTopologyList());
        nas.move(TestVolumes.id("pvc-1"), "a");
        assertThat(gotten()).containsExactly(term("node", "a"));
        assertThat(listed()).containsExactly(term("node", "a"));
        assertThat(create("a").getAccessibleTopologyList()).containsExactly(term("node", "a"));
        ProxySteps.assertRefused(Status.Code.RESOURCE_EXHAUSTED, () -> create("c"));
    }

    @Test
    void an_open_volume_is_published_with_its_context_and_taken_away_again() {
        assertThat(create("a").getVolumeId()).isEqualTo(VOLUME);

        assertThat(publish("n=worker-1"))
                .containsExactly(Map.entry(ReplicaExporter.DEVICE, "/dev/replica/worker-1/pvc-1"));
        ProxySteps.assertRefused(Status.Code.FAILED_PRECONDITION, () -> publish("n=worker-2"));
        unpublish("n=worker-1");
        assertThat(publish("n=worker-2"))
                .containsExactly(Map.entry(ReplicaExporter.DEVICE, "/dev/replica/worker-2/pvc-1"));
        unpublish("");
        assertThat(nas.published(TestVolumes.id("pvc-1")).isEmpty()).isTrue();
    }
}
