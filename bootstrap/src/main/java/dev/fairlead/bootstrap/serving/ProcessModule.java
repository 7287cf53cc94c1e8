package dev.fairlead.bootstrap.serving;

import dagger.BindsOptionalOf;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.application.port.out.node.KernelCalls;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.application.port.out.store.SharedDisks;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.bootstrap.folder.FolderEvents;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.HttpEndpoint;
import dev.fairlead.bootstrap.monitor.Monitor;
import dev.fairlead.bootstrap.node.ThisNode;
import dev.fairlead.bootstrap.options.Mode;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.bootstrap.serving.process.HostPathsFile;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.bootstrap.serving.process.WorkerThreads;
import dev.fairlead.bootstrap.telemetry.Metrics;
import dev.fairlead.domain.handle.HandleCodec;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/** Provides what every mode needs: clocks, threads, locks, and the server's settings. */
@Module
interface ProcessModule {
    /** The time in which a driver has to answer a Probe; a slower one is not announced to kubelet yet. */
    Duration ANSWER = Duration.ofSeconds(2);

    /** The time between two looks into kubelet's folder, in case it sends no event. */
    Duration LOOK = Duration.ofSeconds(5);

    @BindsOptionalOf
    Storage storage();

    @BindsOptionalOf
    NodeStart nodeStart();

    @BindsOptionalOf
    ThisNode thisNode();

    @BindsOptionalOf
    KernelCalls kernelCalls();

    @BindsOptionalOf
    StagingWatch staging();

    @BindsOptionalOf
    SharedDisks sharedDisks();

    @BindsOptionalOf
    PoolIdentities poolIdentities();

    @BindsOptionalOf
    Removals removals();

    @Provides
    static InstantSource clock() {
        return InstantSource.system();
    }

    @Provides
    static ToolSettings tools(Startup startup) {
        return startup.main().tools();
    }

    @Provides
    @Singleton
    static WorkerThreads workers() {
        return WorkerThreads.ofThisProcess();
    }

    /** Provides daemon threads: one that hangs in the kernel must not keep the process from ending. */
    @Provides
    @Singleton
    static ThreadFactory threads(WorkerThreads workers) {
        return workers.of(Thread.ofPlatform().daemon().name("fairlead-", 0).factory());
    }

    @Provides
    @Singleton
    static Executor calls(WorkerThreads workers) {
        return Executors.newThreadPerTaskExecutor(
                workers.of(Thread.ofVirtual().name("csi-", 0).factory()));
    }

    /** Provides the metrics; none if no HTTP endpoint is there to tell them. */
    @Provides
    @Singleton
    static Optional<Metrics> metrics(Startup startup) {
        return startup.options().http().map(_ -> new Metrics(Version.NUMBER));
    }

    @Provides
    static Telemetry telemetry(Optional<Metrics> metrics) {
        return metrics.<Telemetry>map(it -> it).orElse(Telemetry.NONE);
    }

    @Provides
    static GrpcServer.RpcListener listener(Optional<Metrics> metrics) {
        return metrics.<GrpcServer.RpcListener>map(it -> it).orElse(GrpcServer.RpcListener.NONE);
    }

    @Provides
    static Monitor monitor(
            Startup startup,
            GrpcServer server,
            Optional<Metrics> metrics,
            Optional<Storage> storage,
            Optional<KernelCalls> kernel,
            Optional<SharedDisks> disks,
            Optional<Removals> removals,
            Executor calls) {
        Map<String, Path> sockets = new HashMap<>();
        startup.options()
                .endpoints()
                .forEach(endpoint -> endpoint.socket().ifPresent(path -> sockets.put(endpoint.csiName(), path)));
        metrics.ifPresent(it -> {
            it.showRegistrations(server::registrations);
            storage.ifPresent(connections -> it.show(connections::statuses));
            kernel.ifPresent(those -> it.showHangingCalls(those::hanging));
            disks.ifPresent(it::showPools);
            removals.ifPresent(it::showRemovals);
        });
        Optional<Function<Health, HttpEndpoint>> endpoint = startup.options()
                .http()
                .map(where -> health ->
                        HttpEndpoint.open(where.address(), where.port(), health, metrics.orElseThrow()::scrape, calls));
        return new Monitor(new Health(sockets, server::registrations, ANSWER), endpoint);
    }

    @Provides
    @Singleton
    static ProcessEnd ending() {
        return new ProcessEnd(new MonotonicClock());
    }

    @Provides
    @Singleton
    static WorkFactory works(Telemetry telemetry, ProcessEnd ending) {
        return UseCases.works(new MonotonicClock(), telemetry, ending::stopsWork);
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
        Optional<HostPathsFile> file = Optional.of(startup.options())
                .filter(options -> options.modes().contains(Mode.NODE))
                .flatMap(options -> options.endpoints().getFirst().socket())
                .map(HostPathsFile::besides);
        return new HostPaths(startup.hostPathRoots(), file);
    }

    @Provides
    static GrpcSettings settings(Startup startup) {
        List<GrpcSettings.DriverEndpoints> drivers = new ArrayList<>();
        for (ServeOptions.Endpoint endpoint : startup.options().endpoints()) {
            List<GrpcSettings.Endpoint> places = new ArrayList<>();
            endpoint.socket()
                    .map(path -> GrpcSettings.Endpoint.ofSocket(
                            path.toString(), startup.options().socketMode()))
                    .ifPresent(places::add);
            endpoint.tcp()
                    .map(tcp -> new GrpcSettings.Tcp(tcp.address(), tcp.port()))
                    .ifPresent(places::add);
            drivers.add(new GrpcSettings.DriverEndpoints(
                    startup.main().capabilities().profile(endpoint.csiName(), Version.NUMBER), places));
        }
        GrpcSettings settings =
                GrpcSettings.of(drivers).loggingBodies(startup.options().logBodies());
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
            Optional<Removals> removals,
            Optional<NodeStart> node,
            Optional<Leadership> leadership,
            Optional<Announcer> announcer,
            Optional<StartupTaint> taint,
            Optional<StagingWatch> staging,
            Monitor monitor,
            ProcessEnd ending) {
        return new Serving(server, storage, removals, node, leadership, announcer, taint, staging, monitor, ending);
    }
}
