package dev.fairlead.adapter.local.pool;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;

/** Contributes the {@code local-pool} store and the {@code local-pool} exporter. */
@Module
public interface PoolModule {
    @Provides
    @IntoMap
    @StringKey("local-pool")
    static StoreFactory poolStore(DirectoryStores stores) {
        return new PoolStoreFactory(stores, ImageUse.ofThisMachine(), SystemDisk.ofThisMachine());
    }

    @Provides
    @IntoMap
    @StringKey("local-pool")
    static ExporterFactory poolExporter() {
        return new PoolExporterFactory();
    }
}
