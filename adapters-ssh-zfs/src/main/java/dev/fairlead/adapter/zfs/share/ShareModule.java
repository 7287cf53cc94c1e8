package dev.fairlead.adapter.zfs.share;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.zfs.host.ShareNames;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.domain.volume.VolumeMedium;

/** Contributes the exporters of filesystems and those of pools on the node itself. */
@Module
public interface ShareModule {
    @Provides
    @IntoMap
    @StringKey("zfs-sharenfs")
    static ExporterFactory nfs(ZfsConnections connections) {
        return (scope, file, _) -> new PropertyExporter(
                connections.open(scope, file), ShareProtocol.NFS, ShareSettings.read(file, ShareProtocol.NFS));
    }

    @Provides
    @IntoMap
    @StringKey("zfs-sharesmb")
    static ExporterFactory smb(ZfsConnections connections) {
        return (scope, file, _) -> {
            ZfsConnection connection = connections.open(scope, file);
            new ShareNames(connection.layout().parents()).check(file);
            return new PropertyExporter(connection, ShareProtocol.SMB, ShareSettings.read(file, ShareProtocol.SMB));
        };
    }

    @Provides
    @IntoMap
    @StringKey("zfs-local-dataset")
    static ExporterFactory localDataset(ZfsConnections connections) {
        return (scope, file, _) -> new LocalPoolExporter(connections.open(scope, file), VolumeMedium.Kind.FILESYSTEM);
    }

    @Provides
    @IntoMap
    @StringKey("zfs-local-zvol")
    static ExporterFactory localVolume(ZfsConnections connections) {
        return (scope, file, _) -> new LocalPoolExporter(connections.open(scope, file), VolumeMedium.Kind.BLOCK_DEVICE);
    }
}
