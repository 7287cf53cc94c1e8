package dev.fairlead.adapter.template;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import java.util.Set;

/** Contributes the {@code template} store. */
@Module
public interface TemplateModule {
    @Provides
    @IntoMap
    @StringKey("template")
    static StoreFactory template() {
        return StoreFactory.of(
                new StoreTraits(TemplateVolumeStore.MEDIA, Set.of(), Set.of()),
                (scope, file) -> new TemplateVolumeStore(scope.name(), TemplateSettings.read(scope.block(), file)));
    }
}
