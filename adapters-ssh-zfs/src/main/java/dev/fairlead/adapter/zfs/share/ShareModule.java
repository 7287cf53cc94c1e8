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
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Set;

/** Contributes the exporters of filesystems and those of pools on the node itself. */
@Module
public interface ShareModule {
    @Provides
    @IntoMap
    @StringKey("zfs-sharenfs")
    static ExporterFactory nfs(ZfsConnections connections) {
        return ExporterFactory.of(
                shared(Attachment.Nfs.class, true),
                (scope, file, _) -> new PropertyExporter(
                        connections.open(scope, file), ShareProtocol.NFS, ShareSettings.read(file, ShareProtocol.NFS)));
    }

    @Provides
    @IntoMap
    @StringKey("zfs-sharesmb")
    static ExporterFactory smb(ZfsConnections connections) {
        return ExporterFactory.of(shared(Attachment.Smb.class, false), (scope, file, _) -> {
            ZfsConnection connection = connections.open(scope, file);
            new ShareNames(connection.layout().parents()).check(file);
            return new PropertyExporter(connection, ShareProtocol.SMB, ShareSettings.read(file, ShareProtocol.SMB));
        });
    }

    @Provides
    @IntoMap
    @StringKey("zfs-local-dataset")
    static ExporterFactory localDataset(ZfsConnections connections) {
        return ownPool(connections, VolumeMedium.Kind.FILESYSTEM, CapabilityRules.files(Set.of("zfs")));
    }

    @Provides
    @IntoMap
    @StringKey("zfs-local-zvol")
    static ExporterFactory localVolume(ZfsConnections connections) {
        return ownPool(connections, VolumeMedium.Kind.BLOCK_DEVICE, CapabilityRules.ownDevices());
    }

    /** Describes a filesystem that nodes mount by one protocol; it grows without them. */
    private static ExporterTraits shared(Class<? extends Attachment> attachment, boolean accessControl) {
        return ExporterTraits.sharedFiles(attachment, CapabilityRules.files(Set.of("nfs", "cifs")), accessControl);
    }

    /** Makes exporters of volumes that their node grows, since the controller that is asked may be on another one. */
    private static ExporterFactory ownPool(
            ZfsConnections connections, VolumeMedium.Kind kind, CapabilityRules capabilities) {
        return ExporterFactory.of(
                new ExporterTraits(kind, Attachment.ZfsLocal.class, capabilities, true, false),
                (scope, file, _) -> new LocalPoolExporter(connections.open(scope, file), kind));
    }
}
