package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.testkit.ConfigTrees;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A store and an exporter of one box, opened from a connection's file as a process opens them when it starts. */
public record WiredConnection(TruenasConnections connections, ConfigNode file, VolumeStore store, Exporter exporter)
        implements AutoCloseable {
    public static final String PARENT = "tank/k8s/v";

    public static WiredConnection open(Simulator simulator, Protocol protocol) {
        return open(simulator, simulator.port(), protocol, InstantSource.system());
    }

    /**
     * Opens them.
     *
     * @param port where the box is reached: its own port, or that of something in between
     */
    public static WiredConnection open(Simulator simulator, int port, Protocol protocol, InstantSource clock) {
        return open(credentials(simulator.rootKey(), port), protocol, clock);
    }

    /** Opens them for volumes below another parent. */
    public static WiredConnection openBelow(String parent, Simulator simulator, Protocol protocol) {
        return open(
                "box",
                file(credentials(simulator.rootKey(), simulator.port()), protocol, parent, Map.of()),
                protocol,
                ofNewProcess(),
                new LateCalls(InstantSource.system()),
                InstantSource.system());
    }

    /** Opens them with settings of ours in the file, its block {@code fairlead}. */
    public static WiredConnection openWith(Map<String, Object> own, Simulator simulator, Protocol protocol) {
        InstantSource clock = InstantSource.system();
        Map<String, Object> http = credentials(simulator.rootKey(), simulator.port());
        return open("box", file(http, protocol, PARENT, own), protocol, ofNewProcess(), new LateCalls(clock), clock);
    }

    /** Opens them as a user of the box, by its key. */
    public static WiredConnection openAs(String user, Simulator simulator, Protocol protocol) {
        Map<String, Object> http = new TreeMap<>(credentials(simulator.key(user), simulator.port()));
        http.put("username", user);
        return open(http, protocol, InstantSource.system());
    }

    /** Opens several of one process. */
    static List<WiredConnection> openMany(
            int many, Simulator simulator, int port, Protocol protocol, InstantSource clock) {
        TruenasConnections connections = ofNewProcess();
        var pending = new LateCalls(clock);
        return IntStream.range(0, many)
                .mapToObj(i -> open(
                        "box-" + i,
                        file(credentials(simulator.rootKey(), port), protocol, PARENT, Map.of()),
                        protocol,
                        connections,
                        pending,
                        clock))
                .toList();
    }

    private static TruenasConnections ofNewProcess() {
        return new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
    }

    private static WiredConnection open(Map<String, Object> http, Protocol protocol, InstantSource clock) {
        return open(
                "box", file(http, protocol, PARENT, Map.of()), protocol, ofNewProcess(), new LateCalls(clock), clock);
    }

    private static WiredConnection open(
            String name,
            Map<String, Object> content,
            Protocol protocol,
            TruenasConnections connections,
            LateCalls pending,
            InstantSource clock) {
        var problems = new Problems("box.yaml");
        ConfigNode file = ConfigNode.root(ConfigTrees.of(content), problems);
        ConnectionScope scope = scope(name, protocol);
        var opened = new WiredConnection(
                connections,
                file,
                protocol.store(connections, pending, clock).open(scope, file),
                protocol.exporter(connections, pending).open(scope, file));
        if (problems.hasErrors()) {
            throw new IllegalStateException(problems.errors().toString());
        }
        return opened;
    }

    static ConnectionScope scope(String name, Protocol protocol) {
        return new ConnectionScope(new ConnectionName(name), protocol.driverType(), Optional.empty(), "test");
    }

    private static Map<String, Object> credentials(String key, int port) {
        return Map.of("host", "127.0.0.1", "protocol", "https", "port", port, "apiKey", key, "allowInsecure", true);
    }

    private static Map<String, Object> file(
            Map<String, Object> http, Protocol protocol, String parent, Map<String, Object> own) {
        Map<String, Object> zfs = new TreeMap<>(Map.of(
                "datasetParentName", parent, "detachedSnapshotsDatasetParentName", parent.replaceFirst("v$", "s")));
        if (!protocol.isBlock()) {
            zfs.put("datasetEnableQuotas", true);
            zfs.put("datasetPermissionsMode", "0777");
        }
        return Map.of(
                "driver",
                protocol.driverType(),
                "httpConnection",
                http,
                "zfs",
                zfs,
                protocol.block(),
                Map.of(protocol.hostKey(), protocol.host()),
                "fairlead",
                own);
    }

    @Override
    public void close() {
        exporter.close();
        store.close();
    }
}
