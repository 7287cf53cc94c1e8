package dev.fairlead.adapter.grpc;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.work.WorkFactory;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves CSI at every endpoint of every CSI name, all over the same use cases.
 *
 * <p>It starts once and drains once; while it drains, {@code Probe} says that it is not ready.
 */
public final class GrpcServer {
    private static final Logger log = LoggerFactory.getLogger(GrpcServer.class);

    private final GrpcSettings settings;
    private final Services services;
    private final Transport transport;
    private final List<Listening> listening = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Opens nothing yet.
     *
     * @param controller empty: the Controller service is not served
     * @param node empty: the Node service is not served
     * @param executor a thread for each task; calls block on it
     */
    public GrpcServer(
            GrpcSettings settings,
            Optional<ControllerUseCases> controller,
            Optional<NodeUseCases> node,
            WorkFactory works,
            Executor executor,
            RpcListener listener) {
        this.settings = settings;
        this.services = new Services(controller, node, new UnaryCall(works, executor, settings.patience()), listener);
        this.transport = new Transport(executor, settings.maxMessageBytes());
    }

    /** Is told of each call that has ended. Called on the call's thread; must be quick. */
    @FunctionalInterface
    public interface RpcListener {
        RpcListener NONE = (_, _, _) -> {};

        /**
         * One call has ended.
         *
         * @param method the RPC's bare name, such as {@code CreateVolume}
         * @param code gRPC's name of the status, such as {@code OK}
         */
        void ended(String method, String code, long nanos);
    }

    /**
     * Opens all endpoints; when one cannot be opened, none is.
     *
     * @throws dev.fairlead.domain.failure.StorageException where an endpoint cannot be opened, with the reason
     */
    public synchronized void start() {
        try {
            for (GrpcSettings.Driver driver : settings.drivers()) {
                var definitions = services.of(driver.profile());
                for (GrpcSettings.Endpoint endpoint : driver.endpoints()) {
                    listening.add(Listening.at(endpoint, transport, definitions));
                    log.atInfo()
                            .addKeyValue(LogKeys.DRIVER, driver.profile().name())
                            .addKeyValue(LogKeys.ENDPOINT, endpoint)
                            .log("listening");
                }
            }
        } catch (RuntimeException e) {
            listening.forEach(Listening::stopAccepting);
            close();
            throw e;
        }
    }

    /** The addresses at which it listens, in the order of the settings; a socket's is where it was bound. */
    public synchronized List<SocketAddress> addresses() {
        return listening.stream().flatMap(l -> l.addresses().stream()).toList();
    }

    /**
     * Stops accepting calls, removes the socket files, and waits for the calls that run.
     *
     * @return whether they all ended in time; those that did not are cut off
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        List<Listening> open;
        synchronized (this) {
            open = List.copyOf(listening);
        }
        services.stop();
        open.forEach(Listening::stopAccepting);
        long end = System.nanoTime() + atMost.toNanos();
        boolean all = true;
        try {
            for (Listening one : open) {
                all &= one.ended(Math.max(0, end - System.nanoTime()));
            }
        } finally {
            close();
        }
        return all;
    }

    private synchronized void close() {
        listening.forEach(Listening::abandon);
        transport.close();
        ended.countDown();
    }

    /** Returns when it has drained. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }
}
