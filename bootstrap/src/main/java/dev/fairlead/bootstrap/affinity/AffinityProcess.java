package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.adapter.linstor.LinstorModule;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.application.port.out.placement.VolumeWatch;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlanner;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.application.service.affinity.ChangeBudget;
import dev.fairlead.application.service.affinity.SourceHints;
import dev.fairlead.application.service.affinity.SourceRounds;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.HttpEndpoint;
import dev.fairlead.bootstrap.monitor.Phase;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.bootstrap.serving.process.Signals;
import dev.fairlead.bootstrap.telemetry.AffinityMeters;
import dev.fairlead.bootstrap.telemetry.Metrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Puts the affinity process together: to show a plan, or to act. */
public final class AffinityProcess implements AffinityWork {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final AffinityOptions options;
    private final KubernetesSettings cluster;
    private final List<PlacementSource> sources;
    private final Optional<SavedVolumes> saved;
    private final String candidate;
    private final Health health = new Health(Map.of(), List::of, ANSWER);
    private final UnknownLog unknown = new UnknownLog();
    private final HeldLog held = new HeldLog();
    private final Metrics metrics = new Metrics(Version.NUMBER);
    private final Optional<AffinityMeters> meters;
    private final AffinityLoop loop;
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("affinity-", 1).factory();
    private final ThreadFactory questions =
            Thread.ofVirtual().name("placement-", 1).factory();

    /**
     * @param saved what LINSTOR's own affinity controller has kept; empty if LINSTOR's volumes do not follow
     * @param candidate a name for this replica that people recognise
     */
    public AffinityProcess(
            AffinityOptions options,
            KubernetesSettings cluster,
            List<PlacementSource> sources,
            Optional<SavedVolumes> saved,
            String candidate) {
        this.options = options;
        this.cluster = cluster;
        this.sources = List.copyOf(sources);
        this.saved = saved;
        this.candidate = candidate;
        // Without an endpoint nobody could ask for them.
        this.meters = Optional.of(options.serving().endpoints())
                .filter(endpoints -> !endpoints.isEmpty())
                .map(_ -> new AffinityMeters(metrics, this::leads, this::isStopped, InstantSource.system()));
        this.loop = new AffinityLoop(options.interval(), health, this::looked);
    }

    private boolean leads() {
        return health.phase() == Phase.SERVING;
    }

    private boolean isStopped() {
        return health.remark().isPresent();
    }

    private void looked(AffinityRun.Report report) {
        unknown.looked(report.plan());
        held.looked(report.plan());
        meters.ifPresent(those -> those.looked(report));
    }

    @Override
    public AffinityPlan plan() {
        AffinityComponent parts = parts();
        parts.volumes().list();
        var planner = new AffinityPlanner(
                parts.volumes(),
                sources,
                parts.nodes(),
                options.rules(),
                options.limit(),
                options.approvals(),
                SourceRounds.ofAll(sources, questions));
        AffinityPlan plan = planner.plan(Duration.ofNanos(System.nanoTime()));
        return saved.map(kept -> plan.noted(otherController(parts, kept).notes()))
                .orElse(plan);
    }

    @Override
    public int act() throws InterruptedException {
        return act(end -> Signals.handle(threads, end));
    }

    /** @param atEnd takes what lets the volume at hand be the last */
    int act(Consumer<Runnable> atEnd) throws InterruptedException {
        AffinityComponent parts = parts();
        VolumeWatch volumes = parts.volumes();
        List<HttpEndpoint> endpoints = endpoints();
        atEnd.accept(loop::end);
        List<Thread> watches =
                volumes.watches().stream().map(threads::newThread).toList();
        watches.forEach(Thread::start);
        SourceHints hints = new SourceHints(options.interval(), loop::wake);
        sources.forEach(source -> source.listen(hints.of(source)));
        var planner = new AffinityPlanner(
                volumes,
                sources,
                parts.nodes(),
                options.rules(),
                options.limit(),
                options.approvals(),
                new SourceRounds(sources, hints, questions));
        AffinityChanger changer =
                saved.map(kept -> otherController(parts, kept).guarded()).orElseGet(parts::changer);
        var run = new AffinityRun(
                volumes,
                changer,
                planner,
                parts.announcer(),
                new ChangeBudget(options.most(), options.interval()),
                options.serving().mostOpen());
        meters.ifPresent(those -> those.events(parts.announcer()::dropped));
        try {
            return loop.run(parts.leadership(), run);
        } finally {
            parts.announcer().close();
            watches.forEach(Thread::interrupt);
            sources.forEach(PlacementSource::close);
            endpoints.forEach(HttpEndpoint::close);
            saved.ifPresent(SavedVolumes::close);
        }
    }

    private OtherControllerRun otherController(AffinityComponent parts, SavedVolumes kept) {
        return new OtherControllerRun(parts, kept, questions, loop::wake);
    }

    private List<HttpEndpoint> endpoints() {
        Executor calls = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-", 0).factory());
        return options.serving().endpoints().stream()
                .map(where -> HttpEndpoint.open(where.address(), where.port(), health, metrics::scrape, calls)
                        .alsoAt("/healthz", "/livez"))
                .toList();
    }

    private boolean isOurs(String driver) {
        boolean linstor = options.linstor().isPresent() && driver.equals(LinstorModule.DRIVER);
        return linstor || options.csiNames().contains(driver);
    }

    private AffinityComponent parts() {
        AffinityServing serving = options.serving();
        return DaggerAffinityComponent.factory()
                .create(
                        cluster,
                        new AffinitySettings(
                                options.namespace(),
                                this::isOurs,
                                serving.perVolume(),
                                meters.<ReplacementListener>map(it -> it).orElse(ReplacementListener.NONE),
                                _ -> loop.wake()),
                        new ElectionSettings(
                                serving.leaseNamespace().or(options::namespace),
                                options.lease(),
                                candidate,
                                serving.times()),
                        new OtherControllerSettings(oldLeases(), LinstorModule.DRIVER),
                        InstantSource.system(),
                        threads);
    }

    /** Returns the Leases to look at; if one is our own, holding it keeps the other controller from leading. */
    List<LeaseName> oldLeases() {
        Optional<String> namespace =
                options.serving().leaseNamespace().or(options::namespace).or(cluster::namespace);
        List<LeaseName> told = options.linstor().map(LinstorOptions::oldLeases).orElse(List.of());
        // The namespace of this process may be known by the access alone: then the command line could not name it.
        Stream<LeaseName> here =
                told.equals(List.of(LeaseName.USUAL)) && options.namespace().isEmpty()
                        ? cluster.namespace().map(name -> new LeaseName(name, LeaseName.USUAL.name())).stream()
                        : Stream.empty();
        return Stream.concat(told.stream(), here)
                .distinct()
                .filter(lease ->
                        !lease.name().equals(options.lease()) || !namespace.equals(Optional.of(lease.namespace())))
                .toList();
    }
}
