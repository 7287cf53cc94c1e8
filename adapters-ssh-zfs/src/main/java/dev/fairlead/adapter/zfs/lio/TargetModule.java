package dev.fairlead.adapter.zfs.lio;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.port.out.export.ExporterFactory;

/** Contributes the exporter of block volumes over iSCSI. */
@Module
public interface TargetModule {
    @Provides
    @IntoMap
    @StringKey("targetcli")
    static ExporterFactory iscsi(ZfsConnections connections) {
        return (scope, file) ->
                new TargetcliExporter(connections.open(scope, file), TargetSettings.read(file), LioHost.USUAL);
    }
}
