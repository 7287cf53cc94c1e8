package dev.fairlead.adapter.k8s;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.k8s.adoption.HostpathAdoptions;
import dev.fairlead.adapter.k8s.affinity.AffinityEvents;
import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.affinity.ClusterNodes;
import dev.fairlead.adapter.k8s.affinity.ClusterVolumes;
import dev.fairlead.adapter.k8s.affinity.SavedVolumeWriter;
import dev.fairlead.adapter.k8s.affinity.VolumeChanger;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.adapter.k8s.election.ApiLeases;
import dev.fairlead.adapter.k8s.election.Candidate;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.adapter.k8s.election.LeaseLeadership;
import dev.fairlead.adapter.k8s.election.Leases;
import dev.fairlead.adapter.k8s.event.Budget;
import dev.fairlead.adapter.k8s.event.ClaimBudget;
import dev.fairlead.adapter.k8s.event.ClaimEventSettings;
import dev.fairlead.adapter.k8s.event.ClaimEvents;
import dev.fairlead.adapter.k8s.event.EventAnnouncer;
import dev.fairlead.adapter.k8s.event.EventQueue;
import dev.fairlead.adapter.k8s.event.EventSettings;
import dev.fairlead.adapter.k8s.event.PodEvents;
import dev.fairlead.adapter.k8s.node.ApiNodeLabels;
import dev.fairlead.adapter.k8s.node.ApiNodeOutlook;
import dev.fairlead.adapter.k8s.node.NodeTaint;
import dev.fairlead.adapter.k8s.node.TaintRemoval;
import dev.fairlead.adapter.k8s.node.TaintSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerEvents;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.adapter.k8s.takeover.OtherControllerWatch;
import dev.fairlead.adapter.k8s.takeover.OtherFields;
import dev.fairlead.adapter.k8s.volume.ApiRemains;
import dev.fairlead.adapter.k8s.volume.ApiWhereabouts;
import dev.fairlead.adapter.k8s.volume.WhereaboutsSettings;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.adoption.Adoptions;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.application.port.out.cluster.DriverRemains;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.cluster.NodeLabels;
import dev.fairlead.application.port.out.cluster.NodeOutlook;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.KnownNodes;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking;
import dev.fairlead.application.port.out.placement.VolumeWatch;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.http.HttpClient;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;

/**
 * Provides what Kubernetes does for a driver. Nothing is loaded or asked before one of these is asked for; each needs
 * {@link KubernetesSettings}, and its own settings.
 */
@Module
public interface KubernetesModule {
    @Provides
    @Singleton
    static ApiAccess access(KubernetesSettings settings) {
        return new ApiAccess(new ApiClient(settings, HttpClient.USUAL_BACKOFF));
    }

    /** @throws InvalidConfigException if no setting says in which namespace the Lease is */
    @Provides
    @Singleton
    static Leadership leadership(
            ApiAccess access,
            KubernetesSettings settings,
            ElectionSettings election,
            InstantSource wall,
            ThreadFactory threads) {
        String namespace = election.namespace().or(settings::namespace).orElseThrow(KubernetesModule::noNamespace);
        String identity = election.candidate() + "_" + UUID.randomUUID();
        MonotonicClock monotonic = new MonotonicClock();
        Leases leases = new ApiLeases(access.client, namespace, election.lease());
        Candidate candidate = new Candidate(leases, identity, election.times(), wall, monotonic);
        return new LeaseLeadership(candidate, identity, election.times(), monotonic, threads);
    }

    private static InvalidConfigException noNamespace() {
        return new InvalidConfigException(List.of(new Problem(
                Problem.Severity.ERROR,
                "",
                0,
                "--leader-election-namespace",
                "is missing",
                "name the namespace of the Lease, or set POD_NAMESPACE")));
    }

    @Provides
    @Singleton
    static NodeLabels nodeLabels(ApiAccess access) {
        return new ApiNodeLabels(access.client, ApiNodeLabels.PATIENCE);
    }

    @Provides
    @Singleton
    static Whereabouts whereabouts(ApiAccess access, WhereaboutsSettings here) {
        return new ApiWhereabouts(access.client, here);
    }

    @Provides
    @Singleton
    static DriverRemains remains(ApiAccess access) {
        return new ApiRemains(access.client, ApiRemains.PATIENCE);
    }

    @Provides
    @Singleton
    static Adoptions adoptions(ApiAccess access, KubernetesSettings settings) {
        return new HostpathAdoptions(access.client, settings.namespace());
    }

    @Provides
    @Singleton
    static NodeOutlook outlook(ApiAccess access) {
        return new ApiNodeOutlook(access.client, ApiNodeOutlook.PATIENCE);
    }

    /**
     * Provides the remover of a node's startup taint. A node is created with the taint, so every pod on it waits for
     * this: the first attempts come soon, and none more often than needed.
     */
    @Provides
    @Singleton
    static StartupTaint startupTaint(ApiAccess access, TaintSettings taint, ThreadFactory threads) {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
        NodeTaint tries = new NodeTaint(access.client, taint);
        return new TaintRemoval(tries, taint, backoff, threads, access.client::idle);
    }

    /**
     * Provides an announcer of at most 25 events at once, as in client-go, and then one each ten seconds; of volumes as
     * many of their own.
     */
    @Provides
    @Singleton
    static Announcer announcer(ApiAccess access, EventSettings pod, InstantSource wall, ThreadFactory threads) {
        InstantSource clock = new MonotonicClock();
        var budgets = new EventAnnouncer.Budgets(
                new Budget(25, Duration.ofSeconds(10), clock), new Budget(25, Duration.ofSeconds(10), clock));
        return new EventAnnouncer(new PodEvents(access.client, pod, wall), budgets, threads);
    }

    @Provides
    @Singleton
    static ClaimAnnouncer claimAnnouncer(
            ApiAccess access, ClaimEventSettings here, InstantSource wall, ThreadFactory threads) {
        ClaimBudget budget = new ClaimBudget(new MonotonicClock());
        return new ClaimEvents(access.client, here, new EventQueue(threads), budget, wall);
    }

    @Provides
    @Singleton
    static VolumeWatch volumeWatch(ApiAccess access, AffinitySettings affinity, OtherFields fields) {
        return new ClusterVolumes(
                access.client, affinity.drivers(), ObjectFeed.Times.USUAL, affinity.changed(), fields);
    }

    @Provides
    @Singleton
    static OtherFields otherFields() {
        return new OtherFields();
    }

    @Provides
    @Singleton
    static OtherController otherController(
            ApiAccess access, OtherControllerSettings other, OtherFields fields, InstantSource wall) {
        Optional<LeaseName> first = other.leases().stream().findFirst();
        var events = new OtherControllerEvents(access.client, first, other.driver(), wall);
        return new OtherControllerWatch(
                access.client, other.leases(), fields, events, AffinitySettings.PATIENCE, wall, new MonotonicClock());
    }

    /** @throws InvalidConfigException if no setting says in which namespace the intents are kept */
    @Provides
    @Singleton
    static SavedVolumeTaking savedVolumeTaking(
            ApiAccess access, KubernetesSettings settings, AffinitySettings affinity) {
        String namespace = affinity.namespace().or(settings::namespace).orElseThrow(KubernetesModule::noNamespace);
        return new SavedVolumeWriter(access.client, namespace, AffinitySettings.PATIENCE);
    }

    /** @throws InvalidConfigException if no setting says in which namespace the intents are kept */
    @Provides
    @Singleton
    static AffinityChanger affinityChanger(ApiAccess access, KubernetesSettings settings, AffinitySettings affinity) {
        String namespace = affinity.namespace().or(settings::namespace).orElseThrow(KubernetesModule::noNamespace);
        Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
        return new VolumeChanger(
                access.client,
                namespace,
                affinity.drivers(),
                AffinitySettings.PATIENCE,
                affinity.perVolume(),
                backoff,
                affinity.listener());
    }

    @Provides
    @Singleton
    static KnownNodes knownNodes(ApiAccess access) {
        return new ClusterNodes(access.client, AffinitySettings.PATIENCE);
    }

    /**
     * Provides an announcer of at most 100 events at once, and then one each second; of unknown places 20, and then one
     * each ten seconds.
     */
    @Provides
    @Singleton
    static AffinityAnnouncer affinityAnnouncer(ApiAccess access, InstantSource wall, ThreadFactory threads) {
        MonotonicClock clock = new MonotonicClock();
        return new AffinityEvents(
                access.client,
                new EventQueue(threads),
                new Budget(100, Duration.ofSeconds(1), clock),
                new Budget(20, Duration.ofSeconds(10), clock),
                wall);
    }

    /** Shares one client among all that is provided here. */
    final class ApiAccess {
        private final ApiClient client;

        private ApiAccess(ApiClient client) {
            this.client = client;
        }
    }
}
