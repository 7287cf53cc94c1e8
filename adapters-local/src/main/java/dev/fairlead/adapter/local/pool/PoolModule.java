package dev.fairlead.adapter.local.pool;

import dagger.Binds;
import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.local.directory.DirectoryStores;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.host.ThisMachineModule;
import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.ToolDatasets;
import dev.fairlead.adapter.local.pool.identity.DatasetIdentity;
import dev.fairlead.adapter.local.pool.identity.DiskIdentities;
import dev.fairlead.adapter.local.pool.identity.DiskIdentity;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.ImageUse;
import dev.fairlead.adapter.local.pool.kind.Projects;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.PoolStates;
import dev.fairlead.application.port.out.store.SharedDisks;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.work.WorkFactory;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** Contributes the {@code local-pool} store and the {@code local-pool} exporter. */
@Module
public interface PoolModule {
    @Provides
    @Singleton
    static DiskQuestion diskQuestion(ThreadFactory threads) {
        return new DiskQuestion(threads, Duration.ofSeconds(10));
    }

    @Provides
    @Singleton
    static PoolPlaces poolPlaces(DiskQuestion question, DirectoryStores stores, ThreadFactory threads) {
        return new PoolPlaces(
                SystemDisk.ofThisMachine(question),
                stores.clock(),
                task -> threads.newThread(task).start(),
                Duration.ofSeconds(1));
    }

    @Provides
    @Singleton
    static DiskIdentities diskIdentities(
            DiskQuestion question, Datasets datasets, DirectoryStores stores, LocalNodeSettings node) {
        DiskIdentity look = new DatasetIdentity(datasets, DiskIdentity.OF_FILESYSTEM);
        return new DiskIdentities(question, look, node.prefix(), stores.clock());
    }

    @Binds
    PoolIdentities poolIdentities(DiskIdentities identities);

    @Binds
    SharedDisks sharedDisks(PoolPlaces places);

    @Provides
    static PoolStates poolStates(PoolPlaces places) {
        return places.health();
    }

    @Provides
    @Singleton
    static Datasets datasets(ThreadFactory threads, ToolSettings tools, WorkFactory works) {
        return new ToolDatasets(ThisMachineModule.programs(threads, tools), works, Path.of("/proc/self/mountinfo"));
    }

    @Provides
    @IntoMap
    @StringKey("local-pool")
    static StoreFactory poolStore(
            DirectoryStores stores,
            DiskQuestion question,
            PoolPlaces places,
            Datasets datasets,
            DiskIdentities identities,
            LocalNodeSettings node) {
        return new PoolStoreFactory(
                stores,
                ImageUse.ofThisMachine(question),
                SystemDisk.ofThisMachine(question),
                question,
                Projects.OF_KERNEL,
                datasets,
                places,
                identities,
                node);
    }

    @Provides
    @IntoMap
    @StringKey("local-pool")
    static ExporterFactory poolExporter(Datasets datasets) {
        return new PoolExporterFactory(datasets);
    }
}
