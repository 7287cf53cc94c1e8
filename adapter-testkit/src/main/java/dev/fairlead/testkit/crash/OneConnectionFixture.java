package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a proxy's controller over one connection, called {@code nas}: what an RPC does, from the use case to the
 * storage.
 */
public final class OneConnectionFixture implements AutoCloseable {
    public static final ConnectionName NAS = new ConnectionName("nas");

    /** The parameters of a StorageClass that names the connection. */
    public static final Map<String, String> ON_NAS = Map.of("connection", "nas");

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final NodeIdCodec NODES = new NodeIdCodec(
            List.of(new NodeIdCodec.Prefix("1", "iqn.1993-08.org.debian:01:")),
            List.of(new NodeIdCodec.Prefix("u", "nqn.2014-08.org.nvmexpress:uuid:")));

    private final Connections connections;
    private final ControllerUseCases useCases;

    /** Takes over the store and the exporter, and closes them when it is closed. */
    public OneConnectionFixture(String driverType, VolumeStore store, Exporter exporter) {
        this(driverType, store, exporter, CapabilityRules.localHostpath(), false);
    }

    /** Opens a controller whose volumes are made closed to all but the nodes that they are published to. */
    public static OneConnectionFixture closed(String driverType, VolumeStore store, Exporter exporter) {
        return new OneConnectionFixture(driverType, store, exporter, CapabilityRules.files(Set.of()), true);
    }

    /** Opens a controller whose volumes are file systems for several nodes, open to all. */
    public static OneConnectionFixture files(String driverType, VolumeStore store, Exporter exporter) {
        return new OneConnectionFixture(driverType, store, exporter, CapabilityRules.files(Set.of()), false);
    }

    private OneConnectionFixture(
            String driverType, VolumeStore store, Exporter exporter, CapabilityRules capabilities, boolean closed) {
        this(new Backend(
                NAS,
                driverType,
                store,
                exporter,
                new BackendSettingsBuilder()
                        .instanceId("i-1")
                        .capabilities(capabilities)
                        .concurrency(16)
                        .patience(PATIENCE)
                        .closed(closed)
                        .build()));
    }

    /** Takes over a connection that has been assembled from its file, under the name {@link #NAS}. */
    public OneConnectionFixture(Backend backend) {
        SteppingClock clock = SteppingClock.standing();
        Telemetry telemetry = new Telemetry() {};
        this.connections = new Connections(Thread.ofPlatform().daemon().factory(), clock, telemetry);
        connections.install(backend);
        this.useCases = UseCases.controller(
                connections,
                new HandleCodec.Proxied(),
                new KeyedLocks(clock),
                Optional.empty(),
                NODES,
                telemetry,
                Whereabouts.NONE);
    }

    public ControllerUseCases useCases() {
        return useCases;
    }

    /** Creates a volume of the least size that tests ask for. */
    public VolumeView create(String name) {
        return create(name, TestVolumes.atLeast(TestVolumes.SIZE), Source.NONE, Map.of());
    }

    /** Creates a volume to be mounted, with these parameters beside the one that names the connection. */
    public VolumeView create(String name, CapacityRange size, Source source, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(parameters);
        all.putAll(ON_NAS);
        var command = new CreateVolume.Command(
                new CsiName(name), size, List.of(TestVolumes.MOUNT), all, source, AccessibilityRequirement.NONE);
        return useCases.createVolume().create(command, TestWork.named(name));
    }

    @Override
    public void close() {
        connections.close();
    }
}
