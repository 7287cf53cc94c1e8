package dev.fairlead.adapter.zfs.nvmet;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.port.out.export.ExporterFactory;

/** Contributes the exporter of block volumes over NVMe-oF, by the kernel's target. */
@Module
public interface NvmetModule {
    @Provides
    @IntoMap
    @StringKey("nvmetcli")
    static ExporterFactory nvmet(ZfsConnections connections) {
        return (scope, file) ->
                new NvmetExporter(connections.open(scope, file), NvmeofSettings.read(file), NvmetPlaces.LINUX);
    }
}
