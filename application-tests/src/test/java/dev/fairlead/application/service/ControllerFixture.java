package dev.fairlead.application.service;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryReplicas;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A controller process over storages in memory. */
public final class ControllerFixture implements AutoCloseable {
    static final NodeIdCodec NODES =
            new NodeIdCodec(List.of(new NodeIdCodec.Prefix("1", "iqn.1993-08.org.debian:01:")), List.of());
    public static final Duration PATIENT = Duration.ofSeconds(20);
    static final String ZONE = "org.democratic-csi.topology/zone";

    final SteppingClock clock = SteppingClock.standing();
    final KeyedLocks locks = new KeyedLocks(clock);
    final ConcurrentLinkedQueue<String> passedOver = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> foundElsewhere = new ConcurrentLinkedQueue<>();
    public final HandleCodec codec;
    public final Connections connections;
    public final ControllerUseCases useCases;

    private ControllerFixture(HandleCodec codec, Optional<ConnectionName> only, Whereabouts whereabouts) {
        this.codec = codec;
        Telemetry telemetry = new Telemetry() {
            @Override
            public void passedOver(ConnectionName connection) {
                passedOver.add(connection.value());
            }

            @Override
            public void foundElsewhere(ConnectionName connection) {
                foundElsewhere.add(connection.value());
            }
        };
        this.connections = new Connections(Thread.ofPlatform().daemon().factory(), clock, telemetry);
        this.useCases = UseCases.controller(connections, codec, locks, only, NODES, telemetry, whereabouts);
    }

    public static ControllerFixture proxy() {
        return asking(Whereabouts.NONE);
    }

    /** One that is beside the storage of its own node, and asks where other content is. */
    public static ControllerFixture asking(Whereabouts whereabouts) {
        return new ControllerFixture(new HandleCodec.Proxied(), Optional.empty(), whereabouts);
    }

    public static ControllerFixture alone(InMemoryStorage storage) {
        ControllerFixture controller =
                new ControllerFixture(new HandleCodec.Bare(), Optional.of(ConnectionName.SINGLE), Whereabouts.NONE);
        controller.connections.install(
                backend(ConnectionName.SINGLE, storage, settings(Placement.ANYWHERE, Map.of(), PATIENT)));
        return controller;
    }

    /** Adds connections that are reachable from everywhere. */
    public ControllerFixture with(InMemoryStorage... storages) {
        for (InMemoryStorage storage : storages) {
            with(storage, settings(Placement.ANYWHERE, Map.of(), PATIENT));
        }
        return this;
    }

    public ControllerFixture in(String zone, InMemoryStorage storage) {
        return with(storage, settings(within(zone), Map.of(), PATIENT));
    }

    ControllerFixture labelled(Map<String, String> labels, InMemoryStorage storage) {
        return with(storage, settings(Placement.ANYWHERE, labels, PATIENT));
    }

    /** A connection that is soon given up when it does not answer. */
    public ControllerFixture impatient(InMemoryStorage storage) {
        return with(storage, settings(Placement.ANYWHERE, Map.of(), Duration.ofMillis(100)));
    }

    public ControllerFixture with(InMemoryStorage storage, BackendSettings settings) {
        connections.install(backend(new ConnectionName(storage.name()), storage, settings));
        return this;
    }

    /** Adds a connection whose store is not as that of the others. */
    public ControllerFixture with(InMemoryStorage storage, VolumeStore store, BackendSettings settings) {
        var name = new ConnectionName(storage.name());
        connections.install(new Backend(name, "memory", store, new InMemoryExporter(storage), settings));
        return this;
    }

    /** Adds a connection whose storage places each of its volumes. */
    public ControllerFixture with(InMemoryReplicas replicas, BackendSettings settings) {
        connections.install(
                new Backend(new ConnectionName("nas"), "memory", replicas.store(), replicas.exporter(), settings));
        return this;
    }

    public static Backend backend(ConnectionName name, InMemoryStorage storage, BackendSettings settings) {
        return new Backend(name, "memory", new InMemoryVolumeStore(storage), new InMemoryExporter(storage), settings);
    }

    public static BackendSettings settings(Placement placement, Map<String, String> labels, Duration patience) {
        return settings(placement, labels, patience, VolumeStore.OnDependents.REFUSE);
    }

    /** Of a connection that deletes volumes by a policy. */
    public static BackendSettings following(VolumeStore.OnDependents policy) {
        return settings(Placement.ANYWHERE, Map.of(), PATIENT, policy);
    }

    private static BackendSettings settings(
            Placement placement, Map<String, String> labels, Duration patience, VolumeStore.OnDependents policy) {
        return new BackendSettingsBuilder()
                .instanceId("i-1")
                .placement(placement)
                .labels(labels)
                .onDependents(policy)
                .patience(patience)
                .parameterKeys(Set.of("compression"))
                .build();
    }

    /** Of a connection whose volumes are born closed to all but the nodes that they are published to. */
    public static BackendSettings closed() {
        return new BackendSettingsBuilder()
                .instanceId("i-1")
                .capabilities(CapabilityRules.files(Set.of()))
                .patience(PATIENT)
                .closed(true)
                .build();
    }

    /** Of a connection that serves nothing that a test asks for. */
    static BackendSettings blocksOnly() {
        return new BackendSettingsBuilder()
                .instanceId("i-1")
                .capabilities(new CapabilityRules(Set.of(), true, false, Set.of()))
                .patience(PATIENT)
                .build();
    }

    /** Of a connection whose storage is each node's own. */
    public static BackendSettings onItsNode() {
        return new BackendSettingsBuilder()
                .instanceId("i-1")
                .patience(PATIENT)
                .expandedByNodes()
                .build();
    }

    public static BackendSettings retaining() {
        return new BackendSettingsBuilder().retaining().patience(PATIENT).build();
    }

    static Placement within(String zone) {
        return new Placement.Within(List.of(
                new Placement.Place(segment(zone), TopologySegment.of(Map.of("example.com/rack", "r-" + zone)))));
    }

    public static TopologySegment segment(String zone) {
        return TopologySegment.of(Map.of(ZONE, zone));
    }

    public VolumeView create(CreateVolume.Command command) {
        return useCases.createVolume().create(command, TestWork.named("CreateVolume " + command.name()));
    }

    public VolumeView create(String name, Map<String, String> parameters) {
        return create(command(name, parameters));
    }

    /** An empty volume on this connection. */
    public VolumeView create(String name, String connection) {
        return create(name, Map.of("connection", connection));
    }

    public static CreateVolume.Command command(String name, Map<String, String> parameters) {
        return command(name, parameters, TestVolumes.atLeast(TestVolumes.SIZE), Source.NONE);
    }

    public static CreateVolume.Command command(
            String name, Map<String, String> parameters, CapacityRange capacity, Source source) {
        return new CreateVolume.Command(
                new CsiName(name),
                capacity,
                List.of(TestVolumes.MOUNT),
                parameters,
                source,
                AccessibilityRequirement.NONE);
    }

    public static CreateVolume.Command reaching(CreateVolume.Command command, AccessibilityRequirement reach) {
        return new CreateVolume.Command(
                command.name(),
                command.capacity(),
                command.capabilities(),
                command.parameters(),
                command.source(),
                reach);
    }

    public static CreateVolume.Command mutable(CreateVolume.Command command, Map<String, String> mutable) {
        return new CreateVolume.Command(
                command.name(),
                command.capacity(),
                command.capabilities(),
                command.parameters(),
                command.source(),
                command.reach(),
                mutable);
    }

    @Override
    public void close() {
        connections.close();
    }
}
