package dev.fairlead.bootstrap.check;

import dagger.Component;
import dev.fairlead.adapter.local.directory.LocalModule;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import jakarta.inject.Singleton;
import java.util.Map;

/** What reading a connection takes, and nothing that serves. */
@Component(modules = {LocalModule.class, CheckModule.class})
@Singleton
public interface CheckComponent {
    Map<String, StoreFactory> stores();

    Map<String, ExporterFactory> exporters();
}
