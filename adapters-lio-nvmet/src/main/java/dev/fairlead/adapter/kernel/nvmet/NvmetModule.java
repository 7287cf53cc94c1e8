package dev.fairlead.adapter.kernel.nvmet;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;

/** Contributes the exporter of block volumes over NVMe-oF with the kernel's target. */
@Module
public interface NvmetModule {
    @Provides
    @IntoMap
    @StringKey("nvmetcli")
    static ExporterFactory nvmet(StorageHosts hosts) {
        return ExporterFactory.of(
                ExporterTraits.sharedDevices(Attachment.Nvmeof.class).understanding(NvmeOption.classKeys()),
                (scope, file, notes) -> new NvmetExporter(
                        scope.name(), hosts.open(scope, file), NvmeofSettings.read(file), NvmetPlaces.LINUX, notes));
    }
}
