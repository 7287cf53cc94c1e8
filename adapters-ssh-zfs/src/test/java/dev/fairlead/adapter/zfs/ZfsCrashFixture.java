package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A pool in memory, and controllers of one driver type over it that come and go. */
final class ZfsCrashFixture implements CrashFixture<OneConnectionFixture> {
    private final String driverType;
    private final Map<String, Object> keys;
    private final boolean closed;
    private FakePool pool;

    private ZfsCrashFixture(String driverType, Map<String, Object> keys) {
        this(driverType, keys, false);
    }

    private ZfsCrashFixture(String driverType, Map<String, Object> keys, boolean closed) {
        this.driverType = driverType;
        this.keys = keys;
        this.closed = closed;
        this.pool = empty();
    }

    /** @param zfs more keys of the block {@code zfs} */
    static ZfsCrashFixture shared(String protocol, String property, Map<String, ?> zfs) {
        return of("zfs-generic-" + protocol, zfs, Map.of(protocol, share(property, "on")));
    }

    /** @param protocol the block of the protocol, by its key */
    static ZfsCrashFixture of(String driverType, Map<String, ?> zfs, Map<String, ?> protocol) {
        Map<String, Object> keys = new HashMap<>(protocol);
        keys.put("zfs", zfs(zfs));
        return new ZfsCrashFixture(driverType, keys);
    }

    static Map<String, Object> share(String property, String options) {
        return Map.of(
                "shareHost",
                "nas",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of(property, options)));
    }

    static ZfsCrashFixture local(String driverType) {
        return of(driverType, Map.of(), Map.of());
    }

    /** The same with more parents: {@code fast} in the same pool, {@code far} in another. */
    ZfsCrashFixture withParents() {
        Map<String, Object> more = new HashMap<>(keys);
        more.put("fairlead", Map.of("parents", Map.of("fast", "tank/fast", "far", "ssd/v")));
        return new ZfsCrashFixture(driverType, more);
    }

    /** The same, where the parent has to have this mark. */
    ZfsCrashFixture marked(String mark) {
        Map<String, Object> more = new HashMap<>(keys);
        more.put("fairlead", Map.of("parentMark", mark));
        return new ZfsCrashFixture(driverType, more, closed);
    }

    /** The same in a pool that others use too. */
    ZfsCrashFixture in(FakePool shared) {
        ZfsCrashFixture zfsCrashFixture = new ZfsCrashFixture(driverType, keys, closed);
        zfsCrashFixture.pool = shared;
        return zfsCrashFixture;
    }

    /** The same with volumes that are born closed to all but the nodes that they are published to. */
    ZfsCrashFixture closed() {
        return new ZfsCrashFixture(driverType, keys, true);
    }

    private static Map<String, Object> zfs(Map<String, ?> more) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("datasetParentName", "tank/v");
        all.put("detachedSnapshotsDatasetParentName", "tank/s");
        return all;
    }

    private FakePool empty() {
        return keys.containsKey("fairlead")
                ? new FakePool("tank", "tank/v", "tank/s", "tank/fast", "ssd", "ssd/v")
                : new FakePool("tank", "tank/v", "tank/s");
    }

    @Override
    public void reset() {
        pool = empty();
    }

    @Override
    public OneConnectionFixture open() {
        FakePool now = pool;
        CommandRunnerFactory runner = (_, _) -> now;
        var hosts = new StorageHosts(Map.of("ssh", runner, "local", runner));
        var connections = new ZfsConnections(hosts);
        var problems = new Problems("nas.yaml");
        ConfigNode file = ConfigNode.root(ConfigTrees.of(keys), problems);
        ExporterFactory factory = exporter(hosts, connections);
        var scope = new ConnectionScope(
                new ConnectionName("nas"),
                driverType,
                Optional.of("i-1"),
                "test",
                factory.traits().nodeLocal());
        Exporter exporter = factory.open(scope, file);
        StoreFactory store = exporter.accepts() == VolumeMedium.Kind.BLOCK_DEVICE
                ? ZfsStoreModule.volumes(connections)
                : ZfsStoreModule.filesystems(connections);
        VolumeStore volumes = store.open(scope, file);
        OneConnectionFixture oneConnectionFixture = closed
                ? OneConnectionFixture.closed(driverType, volumes, exporter)
                : new OneConnectionFixture(driverType, volumes, exporter);
        assertThat(problems.all()).isEmpty();
        return oneConnectionFixture;
    }

    private ExporterFactory exporter(StorageHosts hosts, ZfsConnections connections) {
        return switch (driverType) {
            case "zfs-generic-nfs" -> ShareModule.nfs(connections);
            case "zfs-generic-smb" -> ShareModule.smb(connections);
            case "zfs-local-dataset" -> ShareModule.localDataset(connections);
            case "zfs-generic-iscsi" -> planned(TargetModule.iscsi(hosts));
            case "zfs-generic-nvmeof" -> planned(NvmetModule.nvmet(hosts));
            default -> ShareModule.localVolume(connections);
        };
    }

    /** Targets are not this pool's: what an exporter has planned is taken for made. */
    private static ExporterFactory planned(ExporterFactory factory) {
        return ExporterFactory.of(
                factory.traits(), (scope, file, notes) -> new Planned(factory.open(scope, file, notes)));
    }

    FakePool pool() {
        return pool;
    }

    @Override
    public void close(OneConnectionFixture oneConnectionFixture) {
        oneConnectionFixture.close();
    }

    @Override
    public void bury(OneConnectionFixture oneConnectionFixture) {
        oneConnectionFixture.close(); // which does nothing to the pool
    }

    @Override
    public String dump() {
        return pool.toString();
    }

    @Override
    public String toString() {
        return driverType + " " + keys.get("zfs") + " " + keys.getOrDefault("fairlead", "");
    }
}
