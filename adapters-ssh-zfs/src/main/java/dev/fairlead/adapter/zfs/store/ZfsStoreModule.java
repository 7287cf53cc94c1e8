package dev.fairlead.adapter.zfs.store;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import jakarta.inject.Singleton;
import java.util.Map;

/** Contributes the stores of filesystems and of block volumes. */
@Module
public interface ZfsStoreModule {
    @Provides
    @Singleton
    static ZfsConnections connections(Map<String, CommandRunnerFactory> runners) {
        return new ZfsConnections(runners);
    }

    @Provides
    @IntoMap
    @StringKey("zfs-filesystem")
    static StoreFactory filesystems(ZfsConnections connections) {
        return (scope, file) -> new ZfsVolumeStore(
                connections.open(scope, file), VolumeMedium.Kind.FILESYSTEM, ForeignSnapshots.read(file));
    }

    @Provides
    @IntoMap
    @StringKey("zfs-volume")
    static StoreFactory volumes(ZfsConnections connections) {
        return (scope, file) -> new ZfsVolumeStore(
                connections.open(scope, file), VolumeMedium.Kind.BLOCK_DEVICE, ForeignSnapshots.read(file));
    }
}
