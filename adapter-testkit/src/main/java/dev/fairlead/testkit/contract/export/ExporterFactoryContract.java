package dev.fairlead.testkit.contract.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.testkit.contract.FactoryContract;

/** Everything that an {@code ExporterFactory} promises. */
public interface ExporterFactoryContract extends FactoryContract<Exporter> {
    ExporterFactory factory();

    @Override
    default Exporter opened(ConnectionScope scope, ConfigNode config) {
        return factory().open(scope, config);
    }
}
