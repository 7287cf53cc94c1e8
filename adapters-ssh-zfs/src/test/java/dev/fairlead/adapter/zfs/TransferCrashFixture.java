package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.fake.SteppingClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Storage hosts with a pool in memory each, called by the names of their connections, and controllers over all. */
final class TransferCrashFixture implements CrashFixture<TransferControllerFixture> {
    private final Map<String, String> driverTypes;
    private final int concurrency;
    private final Map<String, Object> zfs;
    private Map<String, FakePool> pools = Map.of();

    private TransferCrashFixture(Map<String, String> driverTypes, int concurrency, Map<String, Object> zfs) {
        this.driverTypes = new TreeMap<>(driverTypes);
        this.concurrency = concurrency;
        this.zfs = new HashMap<>(zfs);
        reset();
    }

    /** Of {@code east} and {@code west}, both of this type. */
    static TransferCrashFixture of(String driverType) {
        return of(Map.of("east", driverType, "west", driverType), 16);
    }

    /**
     * @param driverTypes by the names of the connections
     * @param concurrency how many calls may be at work on each at once
     */
    static TransferCrashFixture of(Map<String, String> driverTypes, int concurrency) {
        return new TransferCrashFixture(
                driverTypes, concurrency, Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0777"));
    }

    /**
     * The same of {@code east} and {@code west}.
     *
     * @param zfs the keys of both connections beside their parents
     */
    static TransferCrashFixture with(String driverType, Map<String, Object> zfs) {
        return new TransferCrashFixture(Map.of("east", driverType, "west", driverType), 16, zfs);
    }

    FakePool pool(String connection) {
        return Optional.ofNullable(pools.get(connection)).orElseThrow();
    }

    @Override
    public void reset() {
        Map<String, FakePool> fresh = new TreeMap<>();
        driverTypes.keySet().forEach(name -> fresh.put(name, new FakePool("tank", "tank/v", "tank/s")));
        pools = fresh;
    }

    @Override
    public TransferControllerFixture open() {
        SteppingClock clock = SteppingClock.standing();
        Telemetry telemetry = new Telemetry() {};
        var all = new Connections(Thread.ofPlatform().daemon().factory(), clock, telemetry);
        pools.forEach((name, pool) -> all.install(backend(name, pool)));
        return new TransferControllerFixture(
                all,
                UseCases.controller(
                        all,
                        new HandleCodec.Proxied(),
                        new KeyedLocks(clock),
                        Optional.empty(),
                        new NodeIdCodec(List.of(), List.of()),
                        telemetry,
                        Whereabouts.NONE));
    }

    private Backend backend(String name, FakePool pool) {
        String driverType = Optional.ofNullable(driverTypes.get(name)).orElseThrow();
        CommandRunnerFactory runner = (_, _) -> pool;
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", runner, "local", runner)));
        var problems = new Problems(name + ".yaml");
        ConfigNode file = ConfigNode.root(ConfigTrees.of(keys()), problems);
        var scope = new ConnectionScope(
                new ConnectionName(name), driverType, Optional.of("i-1"), "test", driverType.startsWith("zfs-local-"));
        boolean block = driverType.equals("zfs-local-zvol");
        VolumeStore store = (block ? ZfsStoreModule.volumes(connections) : ZfsStoreModule.filesystems(connections))
                .open(scope, file);
        Exporter exporter =
                (block ? ShareModule.localVolume(connections) : ShareModule.nfs(connections)).open(scope, file);
        assertThat(problems.all()).isEmpty();
        var settings = new BackendSettingsBuilder()
                .instanceId("i-1")
                .concurrency(concurrency)
                .patience(Duration.ofMinutes(5))
                .build();
        return new Backend(new ConnectionName(name), driverType, store, exporter, settings);
    }

    private Map<String, Object> keys() {
        Map<String, Object> block = new HashMap<>(zfs);
        block.put("datasetParentName", "tank/v");
        block.put("detachedSnapshotsDatasetParentName", "tank/s");
        Map<String, Object> keys = new HashMap<>();
        keys.put("zfs", block);
        keys.put("nfs", ZfsCrashFixture.share("sharenfs", "on"));
        return keys;
    }

    @Override
    public void close(TransferControllerFixture fixture) {
        fixture.close();
    }

    @Override
    public void bury(TransferControllerFixture fixture) {
        fixture.close(); // which does nothing to the pools
    }

    @Override
    public String dump() {
        var text = new StringBuilder();
        pools.forEach(
                (name, pool) -> text.append(name).append('\n').append(pool).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return driverTypes.toString();
    }
}
