package dev.fairlead.adapter.freenas.fake;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.FreenasVolumeStore;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Opens stores over a simulated box. */
public final class FreenasFixture {
    private FreenasFixture() {}

    public static FreenasVolumeStore store(SimulatedBox box, VolumeMedium.Kind kind, Map<String, Object> zfs) {
        return store(box, kind, zfs, Map.of(), new LateCalls(InstantSource.system()));
    }

    public static FreenasVolumeStore store(
            SharedClient<TruenasApi> client, VolumeMedium.Kind kind, Map<String, Object> zfs) {
        return store(client, kind, zfs, Map.of(), new LateCalls(InstantSource.system()));
    }

    public static FreenasVolumeStore store(
            SharedClient<TruenasApi> client, VolumeMedium.Kind kind, Map<String, Object> zfs, LateCalls late) {
        return store(client, kind, zfs, Map.of(), late);
    }

    private static ConnectionScope scope() {
        return new ConnectionScope(new ConnectionName("nas"), "freenas-api-nfs", Optional.empty(), "test");
    }

    public static FreenasVolumeStore store(
            SimulatedBox box,
            VolumeMedium.Kind kind,
            Map<String, Object> zfs,
            Map<String, Object> own,
            LateCalls pending) {
        return store(box.client(), kind, zfs, own, pending);
    }

    public static FreenasVolumeStore store(
            SharedClient<TruenasApi> client,
            VolumeMedium.Kind kind,
            Map<String, Object> zfs,
            Map<String, Object> own,
            LateCalls pending) {
        return store(client, kind, zfs, own, pending, InstantSource.system());
    }

    public static FreenasVolumeStore store(
            SharedClient<TruenasApi> client,
            VolumeMedium.Kind kind,
            Map<String, Object> zfs,
            Map<String, Object> own,
            LateCalls pending,
            InstantSource clock) {
        return new FreenasVolumeStore(client, settings(kind, zfs, own), pending, clock, scope());
    }

    public static FreenasStoreSettings settings(
            VolumeMedium.Kind kind, Map<String, Object> zfs, Map<String, Object> own) {
        Map<String, Object> block = new HashMap<>(Map.of("datasetParentName", SimulatedBox.PARENT));
        block.putAll(zfs);
        var problems = new Problems("test.yaml");
        ConfigNode file = ConfigNode.root(ConfigTrees.of(Map.of("zfs", block, "fairlead", own)), problems);
        FreenasStoreSettings settings = FreenasStoreSettings.read(file, kind);
        if (problems.hasErrors()) {
            throw new IllegalArgumentException(problems.errors().toString());
        }
        return settings;
    }
}
