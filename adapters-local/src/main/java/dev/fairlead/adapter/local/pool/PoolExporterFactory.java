package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.kind.PoolKind;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import java.nio.file.Path;
import java.util.List;

/** Opens exporters of the node's own pools. */
final class PoolExporterFactory implements ExporterFactory {
    private static final ExporterTraits TRAITS = new ExporterTraits(
            VolumeMedium.Kind.BLOCK_DEVICE, Attachment.LocalPool.class, CapabilityRules.ownDevices(), true, false);

    private final Datasets datasets;

    PoolExporterFactory(Datasets datasets) {
        this.datasets = datasets;
    }

    @Override
    public ExporterTraits traits() {
        return TRAITS;
    }

    @Override
    public Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes) {
        List<PoolSettings> pools = PoolReader.read(scope, config);
        boolean plain = pools.stream()
                .allMatch(pool -> pool.kind().filter(PoolKind::hasFolders).isPresent());
        return new PoolExporter(
                scope.name(),
                pools.stream().map(PoolSettings::path).toList(),
                plain ? VolumeMedium.Kind.FILESYSTEM : VolumeMedium.Kind.BLOCK_DEVICE,
                datasets);
    }

    @Override
    public List<Path> hostPaths(String block, ConfigNode config) {
        return PoolReader.paths(config.child(block));
    }
}
