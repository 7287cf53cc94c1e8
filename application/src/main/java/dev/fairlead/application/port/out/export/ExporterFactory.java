package dev.fairlead.application.port.out.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.NoteLook;

/** Opens a connection's exporter, under the same terms as {@code StoreFactory}. */
@FunctionalInterface
public interface ExporterFactory {
    /** @param notes of the store that the exporter is joined with */
    Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes);

    /** Opens it without a look at the notes of any store. */
    default Exporter open(ConnectionScope scope, ConfigNode config) {
        return open(scope, config, NoteLook.NONE);
    }
}
