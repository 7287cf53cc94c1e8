package dev.fairlead.bootstrap.serving;

import dagger.BindsOptionalOf;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.GrpcSettings;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.KeyedLocks;
import dev.fairlead.application.service.Telemetry;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.bootstrap.folder.FolderEvents;
import dev.fairlead.bootstrap.node.ThisNode;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.domain.handle.HandleCodec;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** What every mode has: clocks, threads, locks, and the server's settings. */
@Module
interface ProcessModule {
    /** A driver that takes longer to answer a Probe is not announced to kubelet yet. */
    Duration ANSWER = Duration.ofSeconds(2);

    /** The safety net below the events of kubelet's folder. */
    Duration LOOK = Duration.ofSeconds(5);

    @BindsOptionalOf
    Storage storage();

    @BindsOptionalOf
    ThisNode thisNode();

    @Provides
    static InstantSource clock() {
        return InstantSource.system();
    }

    /** Daemons: one that hangs in the kernel must not keep the process. */
    @Provides
    @Singleton
    static ThreadFactory threads() {
        return Thread.ofPlatform().daemon().name("fairlead-", 0).factory();
    }

    @Provides
    @Singleton
    static Executor calls() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("csi-", 0).factory());
    }

    @Provides
    static Telemetry telemetry() {
        return Telemetry.NONE;
    }

    @Provides
    static GrpcServer.RpcListener listener() {
        return GrpcServer.RpcListener.NONE;
    }

    @Provides
    @Singleton
    static WorkFactory works(Telemetry telemetry) {
        return UseCases.works(new MonotonicClock(), telemetry);
    }

    @Provides
    @Singleton
    static KeyedLocks locks() {
        return new KeyedLocks(new MonotonicClock());
    }

    @Provides
    static HandleCodec codec(Startup startup) {
        return startup.main().isProxy() ? new HandleCodec.Proxied() : new HandleCodec.Bare();
    }

    @Provides
    @Singleton
    static HostPaths hostPaths(Startup startup) {
        return new HostPaths(startup.hostPathRoots());
    }

    @Provides
    static GrpcSettings settings(Startup startup) {
        List<GrpcSettings.Driver> drivers = new ArrayList<>();
        for (ServeOptions.Endpoint endpoint : startup.options().endpoints()) {
            List<GrpcSettings.Endpoint> places = new ArrayList<>();
            endpoint.socket()
                    .map(path -> GrpcSettings.Endpoint.ofSocket(
                            path.toString(), startup.options().socketMode()))
                    .ifPresent(places::add);
            endpoint.tcp()
                    .map(tcp -> new GrpcSettings.Tcp(tcp.address(), tcp.port()))
                    .ifPresent(places::add);
            drivers.add(new GrpcSettings.Driver(
                    startup.main().capabilities().profile(endpoint.csiName(), Version.NUMBER), places));
        }
        GrpcSettings settings = GrpcSettings.of(drivers);
        return startup.options()
                .registration()
                .map(folder ->
                        settings.registering(new GrpcSettings.Registration(folder, ANSWER, LOOK, FolderEvents::of)))
                .orElse(settings);
    }

    @Provides
    @Singleton
    static Serving serving(
            GrpcServer server,
            Optional<Storage> storage,
            Optional<ThisNode> node,
            Optional<Leadership> leadership,
            Optional<Announcer> announcer) {
        return new Serving(server, storage, node, leadership, announcer);
    }
}
