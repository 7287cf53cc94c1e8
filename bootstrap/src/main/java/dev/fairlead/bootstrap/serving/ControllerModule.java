package dev.fairlead.bootstrap.serving;

import dagger.BindsOptionalOf;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.connection.UnusableConnection;
import dev.fairlead.application.service.node.NodeMounts;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Provides the controller's half: connections, and the use cases over them. */
@Module
interface ControllerModule {
    @BindsOptionalOf
    NodeMounts mounts();

    @Provides
    @Singleton
    static Connections connections(ThreadFactory threads, Telemetry telemetry) {
        return new Connections(threads, new MonotonicClock(), telemetry);
    }

    @Provides
    static UnusableConnection unusable(Connections connections, HandleCodec codec) {
        return UseCases.unusableBy(connections, codec);
    }

    @Provides
    static SeenBasesSettings seenBases(Startup startup) {
        return startup.options()
                .endpoints()
                .getFirst()
                .socket()
                .map(SeenBasesSettings::besides)
                .orElse(SeenBasesSettings.NONE);
    }

    @Provides
    static LocalNodeSettings node(Startup startup) {
        return new LocalNodeSettings(
                startup.facts().nodeName(), startup.locality().prefix());
    }

    @Provides
    static BackendAssembler assembler(
            Startup startup, Map<String, StoreFactory> stores, Map<String, ExporterFactory> exporters) {
        return new BackendAssembler(
                startup.types(),
                stores,
                exporters,
                startup.locality(),
                startup.installation(),
                startup.main().capabilities().publishes());
    }

    @Provides
    @Singleton
    static Storage storage(
            Startup startup,
            BackendAssembler assembler,
            Connections connections,
            HostPaths hostPaths,
            Optional<Announcer> announcer,
            InstantSource clock,
            ThreadFactory threads) {
        var news = new ConnectionEvents(announcer.orElse(Announcer.NONE));
        return new Storage(startup, assembler, connections, hostPaths, news, clock, threads);
    }

    @Provides
    @Singleton
    static ControllerUseCases useCases(
            Startup startup,
            Connections connections,
            HandleCodec codec,
            KeyedLocks locks,
            Telemetry telemetry,
            Optional<Whereabouts> whereabouts,
            Optional<NodeMounts> mounts) {
        Optional<ConnectionName> only =
                startup.main().isProxy() ? Optional.empty() : Optional.of(ConnectionName.SINGLE);
        return UseCases.controller(
                connections,
                codec,
                locks,
                only,
                startup.main().nodeIds(),
                telemetry,
                whereabouts.orElse(Whereabouts.NONE),
                mounts.orElse(NodeMounts.ELSEWHERE));
    }
}
