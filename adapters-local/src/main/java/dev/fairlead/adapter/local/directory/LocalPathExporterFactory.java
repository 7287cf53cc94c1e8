package dev.fairlead.adapter.local.directory;

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
import java.util.Optional;

/** Opens exporters of folders by their paths on the node itself. */
final class LocalPathExporterFactory implements ExporterFactory {
    private static final ExporterTraits TRAITS = new ExporterTraits(
            VolumeMedium.Kind.FILESYSTEM, Attachment.HostPath.class, CapabilityRules.localHostpath(), true, false);

    @Override
    public ExporterTraits traits() {
        return TRAITS;
    }

    @Override
    public Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes) {
        return LocalPathExporter.open(scope, config);
    }

    @Override
    public Optional<Path> hostPath(String block, ConfigNode config) {
        return config.child(block).string("shareBasePath").map(Path::of);
    }
}
