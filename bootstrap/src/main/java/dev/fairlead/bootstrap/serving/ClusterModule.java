package dev.fairlead.bootstrap.serving;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.adapter.k8s.event.ClaimEventSettings;
import dev.fairlead.adapter.k8s.event.EventSettings;
import dev.fairlead.adapter.k8s.node.TaintSettings;
import dev.fairlead.adapter.k8s.volume.WhereaboutsSettings;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.bootstrap.node.ThisNode;
import dev.fairlead.bootstrap.options.ClusterOptions;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.domain.topology.TopologySegment;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Provides what was asked of Kubernetes. If nothing was asked, neither its client nor the libraries below it are
 * loaded.
 */
@Module
interface ClusterModule {
    @Provides
    static KubernetesSettings access(Startup startup) {
        return ClusterAccess.read(name -> startup.facts().env(name).orElse(""), KubernetesSettings.ACCOUNT);
    }

    @Provides
    static ElectionSettings election(Startup startup) {
        ClusterOptions.Election asked = startup.options().cluster().election().orElseThrow();
        return ElectionSettings.of(asked.namespace(), asked.lease(), asked.candidate());
    }

    @Provides
    static EventSettings events(Startup startup) {
        ClusterOptions.Pod pod = startup.options().cluster().events().orElseThrow();
        return new EventSettings(pod.namespace(), pod.name(), pod.uid());
    }

    @Provides
    static ClaimEventSettings claimEvents(Startup startup) {
        return new ClaimEventSettings(
                drivers(startup), startup.options().cluster().claims().orElseThrow());
    }

    @Provides
    @Singleton
    static Optional<ClaimAnnouncer> claims(Startup startup, Provider<ClaimAnnouncer> announcer) {
        return startup.options().cluster().claims().map(_ -> announcer.get());
    }

    @Provides
    static WhereaboutsSettings here(Startup startup, Optional<ThisNode> node) {
        return new WhereaboutsSettings(
                drivers(startup),
                startup.options().cluster().sources().orElseThrow(),
                () -> node.flatMap(ThisNode::place)
                        .<Map<String, String>>map(TopologySegment::labels)
                        .orElse(Map.of()));
    }

    /**
     * Provides the search on other nodes, if it was asked for. It checks the access settings at the start, and makes
     * the client, which few nodes ever need, at its first use.
     */
    @Provides
    @Singleton
    static Optional<Whereabouts> whereabouts(
            Startup startup, Provider<KubernetesSettings> access, Provider<Whereabouts> whereabouts) {
        return startup.options().cluster().sources().map(_ -> {
            var _ = access.get();
            return new LaterWhereabouts(whereabouts, WhereaboutsSettings.followsClaims(drivers(startup)));
        });
    }

    @Provides
    static TaintSettings taint(Startup startup) {
        ClusterOptions.Taint asked = startup.options().cluster().taint().orElseThrow();
        return new TaintSettings(asked.node(), asked.key(), drivers(startup));
    }

    private static Set<String> drivers(Startup startup) {
        return startup.options().endpoints().stream()
                .map(ServeOptions.Endpoint::csiName)
                .collect(Collectors.toSet());
    }

    @Provides
    @Singleton
    static Optional<StartupTaint> startupTaint(Startup startup, Provider<StartupTaint> taint) {
        return startup.options().cluster().taint().map(_ -> taint.get());
    }

    @Provides
    @Singleton
    static Optional<Leadership> leadership(Startup startup, Provider<Leadership> leadership) {
        return startup.options().cluster().election().map(_ -> leadership.get());
    }

    @Provides
    @Singleton
    static Optional<Announcer> announcer(Startup startup, Provider<Announcer> announcer) {
        return startup.options().cluster().events().map(_ -> announcer.get());
    }
}
