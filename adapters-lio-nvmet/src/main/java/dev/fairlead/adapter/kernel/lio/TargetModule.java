package dev.fairlead.adapter.kernel.lio;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.attachment.Attachment;

/** Contributes the exporter of block volumes over iSCSI. */
@Module
public interface TargetModule {
    @Provides
    @IntoMap
    @StringKey("targetcli")
    static ExporterFactory iscsi(StorageHosts hosts) {
        return ExporterFactory.of(
                ExporterTraits.sharedDevices(Attachment.Iscsi.class),
                (scope, file, notes) -> new TargetcliExporter(
                        scope.name(), hosts.open(scope, file), TargetSettings.read(file), LioHost.USUAL, notes));
    }
}
