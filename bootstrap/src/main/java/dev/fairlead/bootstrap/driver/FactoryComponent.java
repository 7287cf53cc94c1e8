package dev.fairlead.bootstrap.driver;

import dagger.Component;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.Map;

/**
 * Provides the factories that the table of driver types and the reading of a connection need, and nothing that serves.
 */
@Component(modules = {FactoryModule.class, StorageModules.class})
@Singleton
public interface FactoryComponent {
    Map<String, StoreFactory> stores();

    Map<String, ExporterFactory> exporters();

    /** Provides the same stores, each of which is made when it is asked for. */
    Map<String, Provider<StoreFactory>> storeProviders();

    Map<String, Provider<ExporterFactory>> exporterProviders();
}
