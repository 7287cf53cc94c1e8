package dev.fairlead.adapter.zfs.store;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.settings.DevicePaths;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Set;

/** Contributes the stores of filesystems and of block volumes. */
@Module
public interface ZfsStoreModule {
    @Provides
    @Singleton
    static ZfsConnections connections(StorageHosts hosts) {
        return new ZfsConnections(hosts);
    }

    @Provides
    @IntoMap
    @StringKey("zfs-filesystem")
    static StoreFactory filesystems(ZfsConnections connections) {
        return StoreFactory.of(
                traits(VolumeMedium.Kind.FILESYSTEM),
                (scope, file) -> new ZfsVolumeStore(
                        connections.open(scope, file), VolumeMedium.Kind.FILESYSTEM, ForeignSnapshots.read(file)));
    }

    @Provides
    @IntoMap
    @StringKey("zfs-volume")
    static StoreFactory volumes(ZfsConnections connections) {
        return StoreFactory.of(traits(VolumeMedium.Kind.BLOCK_DEVICE), (scope, file) -> {
            if (!scope.nodeLocal()) { // the node finds its own volumes by their datasets' names
                DevicePaths.check(file);
            }
            return new ZfsVolumeStore(
                    connections.open(scope, file), VolumeMedium.Kind.BLOCK_DEVICE, ForeignSnapshots.read(file));
        });
    }

    private static StoreTraits traits(VolumeMedium.Kind kind) {
        Set<StoreTraits.Role> roles = EnumSet.allOf(StoreTraits.Role.class);
        if (kind == VolumeMedium.Kind.FILESYSTEM) {
            roles.remove(StoreTraits.Role.PROBE);
        }
        return new StoreTraits(
                Set.of(kind),
                roles,
                Set.of("parent", "detachedVolumesFromSnapshots", "detachedVolumesFromVolumes", "detachedSnapshots"));
    }
}
