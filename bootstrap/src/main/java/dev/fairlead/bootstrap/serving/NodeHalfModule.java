package dev.fairlead.bootstrap.serving;

import dagger.BindsOptionalOf;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.adapter.node.settings.StagingSettings;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.application.port.out.cluster.NodeLabels;
import dev.fairlead.application.port.out.host.Tools;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.MountPropagation;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.PoolStates;
import dev.fairlead.application.port.out.store.SharedDisks;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.UnusableConnection;
import dev.fairlead.application.service.health.HealthSettings;
import dev.fairlead.application.service.node.ForgottenStaging;
import dev.fairlead.application.service.node.JournalReconciler;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.application.service.node.NodeMounts;
import dev.fairlead.bootstrap.node.PoolLabels;
import dev.fairlead.bootstrap.node.ThisNode;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.serving.pool.PoolEvents;
import dev.fairlead.bootstrap.serving.pool.PoolStateEvents;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.handle.HandleCodec;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Provides the node's half: mounts, and the use cases over them. It knows of no storage. */
@Module
interface NodeHalfModule {
    @BindsOptionalOf
    UnusableConnection unusable();

    @BindsOptionalOf
    PoolStates poolStates();

    @Provides
    static NodeSettings settings(Startup startup, HostPaths hostPaths, ThreadFactory threads, HandleCodec codec) {
        return NodeSettings.of(hostPaths, journal(startup), threads)
                .with(startup.main().mountFlags())
                .with(startup.main().filesystems())
                .with(new VolumeBases(startup.installation(), codec));
    }

    /**
     * Returns the folder of the journal: beside the socket, in kubelet's folder of this plugin, which is the node's.
     */
    private static Path journal(Startup startup) {
        return startup.options()
                .endpoints()
                .getFirst()
                .socket()
                .map(socket -> socket.resolveSibling(socket.getFileName() + ".staged"))
                .orElse(Path.of("/var/lib/fairlead/staged"));
    }

    @Provides
    @Singleton
    static ThisNode thisNode(
            Startup startup,
            Provider<NodeLabels> labels,
            Optional<PoolIdentities> pools,
            Optional<Announcer> announcer) {
        return new ThisNode(
                startup.facts(),
                startup.main().nodeId(),
                startup.main().nodeTopology(),
                node -> labels.get().of(node),
                new PoolLabels(pools, () -> onNode(startup, labels), announcer.orElse(Announcer.NONE)),
                startup.main().maxVolumes());
    }

    /** Returns the labels of this node in the cluster; none if this process runs in no cluster. */
    private static Map<String, String> onNode(Startup startup, Provider<NodeLabels> labels) {
        boolean inCluster = Stream.of("KUBECONFIG", "KUBERNETES_SERVICE_HOST")
                .anyMatch(name ->
                        startup.facts().env(name).filter(it -> !it.isEmpty()).isPresent());
        return startup.facts()
                .nodeName()
                .filter(_ -> inCluster)
                .map(name -> labels.get().of(name))
                .orElse(Map.of());
    }

    @Provides
    static StagingSettings kubelet(Startup startup) {
        return new StagingSettings(startup.options().kubelet());
    }

    @Provides
    static NodeStart start(
            ThisNode node, MountPropagation propagation, Tools tools, WorkFactory works, Executor threads) {
        return new NodeStart(node, propagation, tools, works, threads);
    }

    @Provides
    @Singleton
    static StagingWatch staging(
            ForgottenStaging forgotten,
            JournalReconciler journal,
            AttachmentEvents news,
            NodeUseCases useCases,
            VolumeEvents healthNews,
            Optional<SharedDisks> disks,
            Optional<PoolStates> states,
            Telemetry telemetry,
            Optional<Announcer> announcer,
            WorkFactory works,
            ThreadFactory threads) {
        PoolEvents places = new PoolEvents(announcer.orElse(Announcer.NONE));
        PoolStateEvents pools = new PoolStateEvents(telemetry, announcer.orElse(Announcer.NONE));
        return new StagingWatch(
                forgotten,
                journal,
                news,
                useCases.reportHealth(),
                healthNews,
                () -> {
                    disks.ifPresent(it -> places.found(it.now()));
                    states.ifPresent(it -> pools.found(it.look()));
                },
                works,
                threads);
    }

    @Provides
    static ForgottenStaging forgotten(Startup startup, Mounter mounter) {
        return new ForgottenStaging(mounter, names(startup));
    }

    @Provides
    static JournalReconciler reconciler(
            Startup startup, NodePorts ports, KeyedLocks locks, NodeGrowth growth, InstantSource clock) {
        return new JournalReconciler(ports, names(startup), locks, growth, clock);
    }

    @Provides
    static NodeGrowth growth(Optional<ControllerUseCases> besides) {
        return besides.map(controller -> UseCases.growthBy(controller.expandVolume()))
                .orElse(NodeGrowth.ELSEWHERE);
    }

    @Provides
    static AttachmentEvents attachmentEvents(Telemetry telemetry, Optional<Announcer> announcer) {
        return new AttachmentEvents(telemetry, announcer.orElse(Announcer.NONE));
    }

    @Provides
    static VolumeEvents volumeEvents(
            Telemetry telemetry, Optional<Announcer> announcer, Optional<ClaimAnnouncer> claims) {
        return new VolumeEvents(telemetry, announcer.orElse(Announcer.NONE), claims.orElse(ClaimAnnouncer.NONE));
    }

    @Provides
    @Singleton
    static NodeMounts mounts(Startup startup, Map<Class<?>, Attacher<?>> attachers) {
        return UseCases.mountsBy(List.copyOf(attachers.values()), names(startup));
    }

    private static Set<String> names(Startup startup) {
        return startup.options().endpoints().stream()
                .map(ServeOptions.Endpoint::csiName)
                .collect(Collectors.toSet());
    }

    @Provides
    @Singleton
    static NodeUseCases useCases(
            Startup startup,
            ThisNode node,
            NodePorts ports,
            HandleCodec codec,
            KeyedLocks locks,
            NodeGrowth growth,
            Optional<ControllerUseCases> besides,
            Optional<UnusableConnection> unusable,
            StagedHandles handles,
            Telemetry telemetry) {
        NodeUseCases all = UseCases.node(
                ports,
                codec,
                locks,
                growth,
                unusable.orElse(UnusableConnection.ELSEWHERE),
                telemetry,
                new HealthSettings(names(startup), new MonotonicClock(), handles),
                node);
        return besides.map(controller -> UseCases.staging(all, controller.getVolume()))
                .orElse(all);
    }
}
