package dev.fairlead.bootstrap.serving;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.Monitor;
import dev.fairlead.bootstrap.monitor.Phase;
import dev.fairlead.bootstrap.node.ThisNode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A driver that serves, from its first call to its last. */
public final class Serving {
    /** Below the 30 s that Kubernetes leaves a pod between SIGTERM and SIGKILL. */
    public static final Duration DRAIN = Duration.ofSeconds(25);

    /** A folder that takes longer than this to read is left to come when it comes. */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Serving.class);

    private final GrpcServer server;
    private final Optional<Storage> storage;
    private final Optional<ThisNode> node;
    private final Optional<Leadership> leadership;
    private final Optional<Announcer> announcer;
    private final Optional<StartupTaint> taint;
    private final Optional<StagingWatch> staging;
    private final Monitor monitor;
    private final Ending ending;
    private final Health health;

    /**
     * @param storage where the controller's half is served
     * @param node where the node's half is served
     * @param leadership where it serves only while it leads
     * @param announcer where it tells the cluster's users
     * @param taint where pods are kept off its node until it serves
     * @param staging where it is a node, and tidies after kubelet
     * @param monitor where it tells how it is
     * @param ending where it tells its work that it ends
     */
    Serving(
            GrpcServer server,
            Optional<Storage> storage,
            Optional<ThisNode> node,
            Optional<Leadership> leadership,
            Optional<Announcer> announcer,
            Optional<StartupTaint> taint,
            Optional<StagingWatch> staging,
            Monitor monitor,
            Ending ending) {
        this.server = server;
        this.storage = storage;
        this.node = node;
        this.leadership = leadership;
        this.announcer = announcer;
        this.taint = taint;
        this.staging = staging;
        this.monitor = monitor;
        this.ending = ending;
        this.health = monitor.health();
    }

    /**
     * Tells how it is from now on, waits for its turn where there are several replicas, loads the connections, then
     * opens the sockets.
     *
     * @param lost is told why this process must end at once: another may serve in its place
     * @return false where it was to end before it served
     * @throws dev.fairlead.application.config.InvalidConfigException where the only connection cannot be used
     * @throws dev.fairlead.domain.failure.StorageException where something else keeps it from serving
     */
    public boolean start(Consumer<String> lost) throws InterruptedException {
        monitor.open();
        node.ifPresent(ThisNode::look);
        if (leadership.isPresent()) {
            health.enter(Phase.STANDBY);
            if (!leadership.get().lead(lost)) {
                return false;
            }
        }
        load();
        synchronized (this) {
            if (health.phase() == Phase.ENDING) {
                return false;
            }
            server.start();
            health.enter(Phase.SERVING);
        }
        taint.ifPresent(StartupTaint::lift);
        staging.ifPresent(StagingWatch::start);
        return true;
    }

    private void load() throws InterruptedException {
        if (storage.isPresent()) {
            boolean loaded = storage.get().open(FIRST_LOOK);
            if (!loaded) {
                log.atWarn()
                        .addKeyValue("seconds", FIRST_LOOK.toSeconds())
                        .log("the connections folder does not answer; serving starts without its connections");
            }
        }
    }

    public Monitor monitor() {
        return monitor;
    }

    public GrpcServer server() {
        return server;
    }

    /**
     * Takes no more calls, waits for the calls that run, stops the copies that go on ten seconds before the end, and
     * lets go of the storage. If all have ended, another replica may lead at once, otherwise when the Lease has run
     * out.
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        boolean served;
        synchronized (this) {
            served = health.phase() == Phase.SERVING;
            health.enter(Phase.ENDING);
        }
        ending.begin(atMost);
        if (!served) {
            leadership.ifPresent(Leadership::resign);
        }
        taint.ifPresent(StartupTaint::close);
        staging.ifPresent(StagingWatch::close);
        boolean ended = false;
        try {
            ended = server.drain(atMost);
            return ended;
        } finally {
            storage.ifPresent(Storage::close);
            announcer.ifPresent(Announcer::close);
            leadership.ifPresent(ended ? Leadership::resign : Leadership::end);
            monitor.close();
        }
    }
}
