package dev.fairlead.adapter.local.directory;

import dagger.Binds;
import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.port.work.WorkFactory;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/** Contributes the {@code directory} store and the {@code local-path} exporter. */
@Module
public interface LocalModule {
    /**
     * Returns what opens all stores of folders; its threads work in the background, at most one that works and one that
     * waits for each store, and only while the store's trash is not empty.
     */
    @Provides
    @Singleton
    static DirectoryStores directoryStores(
            InstantSource clock, ThreadFactory threads, WorkFactory works, SeenBasesSettings seen) {
        InstantSource elapsed = new MonotonicClock();
        return new DirectoryStores(
                clock,
                elapsed,
                task -> threads.newThread(task).start(),
                works,
                Alarm.of(elapsed, threads),
                new SeenBases(seen));
    }

    @Binds
    Removals removals(DirectoryStores stores);

    @Provides
    @IntoMap
    @StringKey("directory")
    static StoreFactory directoryStore(DirectoryStores stores) {
        return new DirectoryStoreFactory(stores);
    }

    @Provides
    @IntoMap
    @StringKey("local-path")
    static ExporterFactory localPathExporter() {
        return new LocalPathExporterFactory();
    }
}
