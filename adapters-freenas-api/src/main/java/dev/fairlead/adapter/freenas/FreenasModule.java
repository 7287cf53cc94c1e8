package dev.fairlead.adapter.freenas;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.nfs.FreenasNfsExporter;
import dev.fairlead.adapter.freenas.nfs.NfsShareSettings;
import dev.fairlead.adapter.freenas.service.BoxService;
import dev.fairlead.adapter.freenas.service.CheckedExporter;
import dev.fairlead.adapter.freenas.service.ServiceWatch;
import dev.fairlead.adapter.freenas.store.FreenasVolumeStore;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/** Contributes the stores of TrueNAS boxes, and the exporters by their shares. */
@Module
public interface FreenasModule {
    @Provides
    @Singleton
    static TruenasConnections connections(ThreadFactory threads) {
        return new TruenasConnections(threads);
    }

    @Provides
    @Singleton
    static LateCalls late() {
        return new LateCalls(new MonotonicClock());
    }

    @Provides
    @IntoMap
    @StringKey("truenas-filesystem")
    static StoreFactory filesystems(TruenasConnections connections, LateCalls late, InstantSource clock) {
        return store(VolumeMedium.Kind.FILESYSTEM, connections, late, clock);
    }

    @Provides
    @IntoMap
    @StringKey("truenas-volume")
    static StoreFactory volumes(TruenasConnections connections, LateCalls late, InstantSource clock) {
        return store(VolumeMedium.Kind.BLOCK_DEVICE, connections, late, clock);
    }

    private static StoreFactory store(
            VolumeMedium.Kind kind, TruenasConnections connections, LateCalls late, InstantSource clock) {
        Set<StoreTraits.Role> roles =
                EnumSet.of(StoreTraits.Role.SNAPSHOTS, StoreTraits.Role.GROUPS, StoreTraits.Role.MODIFICATION);
        if (kind == VolumeMedium.Kind.BLOCK_DEVICE) {
            roles.add(StoreTraits.Role.PROBE);
        }
        var traits = new StoreTraits(
                Set.of(kind),
                roles,
                Set.of("parent", "detachedVolumesFromSnapshots", "detachedVolumesFromVolumes", "detachedSnapshots"));
        return StoreFactory.of(traits, (scope, file) -> {
            FreenasStoreSettings settings = FreenasStoreSettings.read(file, kind);
            return new FreenasVolumeStore(
                    connections.open(scope, file, FreenasStoreSettings.parents(file)), settings, late, clock, scope);
        });
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nfs")
    static ExporterFactory nfs(TruenasConnections connections, LateCalls late) {
        return shares(BoxWay.byApi(connections), late);
    }

    static ExporterFactory shares(BoxWay way, LateCalls late) {
        return ExporterFactory.of(
                ExporterTraits.sharedFiles(Attachment.Nfs.class, CapabilityRules.files(Set.of("nfs", "cifs")), true),
                (scope, file, _) -> {
                    NfsShareSettings settings = NfsShareSettings.read(file);
                    SharedClient<TruenasApi> client = way.open(scope, file);
                    return watched(new FreenasNfsExporter(client, settings, late), client, BoxService.NFS);
                });
    }

    /** Returns an exporter that looks now and then whether the box's service runs. */
    static Exporter watched(Exporter exporter, SharedClient<TruenasApi> client, BoxService service) {
        return new CheckedExporter(exporter, new ServiceWatch(client.get(), service, new MonotonicClock()));
    }
}
