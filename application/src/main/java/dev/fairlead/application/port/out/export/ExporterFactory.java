package dev.fairlead.application.port.out.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;

/** Opens a connection's exporter, under the same terms as {@code StoreFactory}. */
@FunctionalInterface
public interface ExporterFactory {
    Exporter open(ConnectionScope scope, ConfigNode config);
}
