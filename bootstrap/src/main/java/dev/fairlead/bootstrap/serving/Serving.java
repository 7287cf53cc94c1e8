package dev.fairlead.bootstrap.serving;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.Monitor;
import dev.fairlead.bootstrap.monitor.Phase;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a driver that serves, from its first call to its last. */
public final class Serving {
    /**
     * The longest time for running calls to end, less than the 30 s that Kubernetes leaves a pod between SIGTERM and
     * SIGKILL.
     */
    public static final Duration DRAIN = Duration.ofSeconds(25);

    /**
     * The longest wait for the connections folder at the start; serving begins without its connections if it takes
     * longer.
     */
    private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Serving.class);

    private final GrpcServer server;
    private final Optional<Storage> storage;
    private final Optional<Removals> removals;
    private final Optional<NodeStart> node;
    private final Optional<Leadership> leadership;
    private final Optional<Announcer> announcer;
    private final Optional<StartupTaint> taint;
    private final Optional<StagingWatch> staging;
    private final Monitor monitor;
    private final ProcessEnd ending;
    private final Health health;

    /**
     * @param storage present if the controller's half is served
     * @param removals present if stores remove in the background what was deleted
     * @param node present if the node's half is served
     * @param leadership present if it serves only while it leads
     * @param announcer present if it sends events to the cluster's users
     * @param taint present if a taint keeps pods off its node until it serves
     * @param staging present if it is a node, and unmounts what kubelet has forgotten
     * @param monitor tells the health of the process
     * @param ending tells long work that the process ends
     */
    Serving(
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
        this.server = server;
        this.storage = storage;
        this.removals = removals;
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
     * Opens the monitor, waits until this replica leads if there is an election, loads the connections, then opens the
     * sockets.
     *
     * @param lost called with the reason if this process must end at once, since another may serve in its place
     * @return false if it was to end before it served
     * @throws dev.fairlead.application.config.InvalidConfigException if the only connection cannot be used
     * @throws dev.fairlead.domain.failure.StorageException if something else keeps it from serving
     */
    public boolean start(Consumer<String> lost) throws InterruptedException {
        monitor.open();
        node.ifPresent(NodeStart::look);
        if (leadership.isPresent()) {
            health.enter(Phase.STANDBY);
            if (!leadership.get().lead(lost)) {
                return false;
            }
        }
        load();
        node.ifPresent(NodeStart::compare);
        synchronized (this) {
            if (health.phase() == Phase.ENDING) {
                return false;
            }
            server.start();
            health.enter(Phase.SERVING);
        }
        removals.ifPresent(Removals::takeUp);
        taint.ifPresent(StartupTaint::lift);
        staging.ifPresent(StagingWatch::start);
        node.ifPresent(NodeStart::tell);
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
     * Takes no more calls, waits for the calls that run, stops long copies ten seconds before the end, and closes the
     * storage. If all calls have ended, another replica may lead at once, otherwise when the Lease has run out.
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        boolean served;
        synchronized (this) {
            served = health.phase() == Phase.SERVING;
            health.enter(Phase.ENDING);
        }
        ending.begin(atMost);
        long end = System.nanoTime() + atMost.toNanos();
        if (!served) {
            leadership.ifPresent(Leadership::resign);
        }
        taint.ifPresent(StartupTaint::close);
        staging.ifPresent(StagingWatch::close);
        boolean ended = false;
        try {
            // what the watches have taken to end is not there any more for the calls
            ended = server.drain(Duration.ofNanos(Math.max(end - System.nanoTime(), 0)));
            return ended;
        } finally {
            storage.ifPresent(Storage::close);
            announcer.ifPresent(Announcer::close);
            leadership.ifPresent(ended ? Leadership::resign : Leadership::end);
            monitor.close();
        }
    }
}
