package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.adapter.linstor.LinstorModule;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.VolumeWatch;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlanner;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.bootstrap.serving.process.Signals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Puts the affinity process together: to show a plan, or to act. */
public final class AffinityProcess implements AffinityWork {
    private final AffinityOptions options;
    private final KubernetesSettings cluster;
    private final List<PlacementSource> sources;
    private final String candidate;
    private final AffinityLoop loop;
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("affinity-", 1).factory();

    /** @param candidate a name for this replica that people recognise */
    public AffinityProcess(
            AffinityOptions options, KubernetesSettings cluster, List<PlacementSource> sources, String candidate) {
        this.options = options;
        this.cluster = cluster;
        this.sources = List.copyOf(sources);
        this.candidate = candidate;
        this.loop = new AffinityLoop(options.interval());
    }

    @Override
    public AffinityPlan plan() {
        VolumeWatch volumes = parts().volumes();
        volumes.list();
        return planner(volumes).plan(Duration.ofNanos(System.nanoTime()));
    }

    @Override
    public int act() throws InterruptedException {
        AffinityComponent parts = parts();
        VolumeWatch volumes = parts.volumes();
        Signals.handle(threads, loop::end);
        List<Thread> watches =
                volumes.watches().stream().map(threads::newThread).toList();
        watches.forEach(Thread::start);
        sources.forEach(source -> source.listen(new PlacementHints() {
            @Override
            public void moved(String handle) {
                loop.wake();
            }

            @Override
            public void anyMoved() {
                loop.wake();
            }
        }));
        var run = new AffinityRun(volumes, parts.changer(), planner(volumes), parts.announcer(), options.most());
        try {
            return loop.run(parts.leadership(), run);
        } finally {
            watches.forEach(Thread::interrupt);
            sources.forEach(PlacementSource::close);
        }
    }

    private boolean isOurs(String driver) {
        boolean linstor = options.linstor().isPresent() && driver.equals(LinstorModule.DRIVER);
        return linstor || options.csiNames().contains(driver);
    }

    private AffinityComponent parts() {
        return DaggerAffinityComponent.factory()
                .create(
                        cluster,
                        new AffinitySettings(options.namespace(), this::isOurs, _ -> loop.wake()),
                        ElectionSettings.of(options.namespace(), options.lease(), candidate),
                        InstantSource.system(),
                        threads);
    }

    private AffinityPlanner planner(VolumeWatch volumes) {
        return new AffinityPlanner(volumes, sources, options.rules(), options.limit(), options.approval());
    }
}
