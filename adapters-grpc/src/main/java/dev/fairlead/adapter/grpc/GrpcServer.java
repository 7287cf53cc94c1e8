package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.adapter.grpc.call.UnaryCall;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.grpc.socket.Listening;
import dev.fairlead.adapter.grpc.socket.Transport;
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
    private final Executor executor;
    private final Optional<Registrar> registrar;
    private final List<Listening> listening = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Opens nothing yet.
     *
     * @param controller the use cases of the Controller service, which is not served if this is empty
     * @param node the use cases of the Node service, which is not served if this is empty
     * @param executor runs each task on a thread of its own; calls block there
     */
    public GrpcServer(
            GrpcSettings settings,
            Optional<ControllerUseCases> controller,
            Optional<NodeUseCases> node,
            WorkFactory works,
            Executor executor,
            RpcListener listener) {
        this.settings = settings;
        this.services = new Services(
                controller,
                node,
                new UnaryCall(works, executor, settings.patience()),
                listener,
                new MessageLogInterceptor(settings.logBodies()));
        this.transport = new Transport(executor, settings.maxMessageBytes());
        this.executor = executor;
        this.registrar = settings.registration().map(to -> new Registrar(to, settings.drivers(), transport));
    }

    /** A listener is told of each call that has ended. It is called on the call's thread and must be quick. */
    @FunctionalInterface
    public interface RpcListener {
        RpcListener NONE = _ -> {};

        void ended(Call call);
    }

    /**
     * Describes a call that has ended.
     *
     * @param driver the CSI name at whose endpoint it came in
     * @param service the service's full name, such as {@code csi.v1.Controller}
     * @param method the RPC's bare name, such as {@code CreateVolume}
     * @param code gRPC's name of the status, such as {@code OK}
     */
    public record Call(String driver, String service, String method, String code, long nanos) {}

    /**
     * Says how far a driver's registration with kubelet is.
     *
     * @param driver the CSI name
     * @param detail why it is in this state; empty if all is well
     * @param refusals how often kubelet has refused it
     */
    public record Registration(String driver, RegistrationState state, String detail, long refusals) {}

    /** Lists the steps of a registration. */
    public enum RegistrationState {
        /** The CSI socket does not answer yet, or kubelet's folder cannot be used. */
        WAITING,
        /** The registration socket is there, and kubelet has not answered. */
        ANNOUNCED,
        REGISTERED,
        /** Kubelet has said no; it tries again by itself. */
        REFUSED
    }

    /**
     * Opens all endpoints; if one cannot be opened, none stays open.
     *
     * @throws dev.fairlead.domain.failure.StorageException if an endpoint cannot be opened, with the reason
     */
    public synchronized void start() {
        try {
            for (GrpcSettings.DriverEndpoints driver : settings.drivers()) {
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
        registrar.ifPresent(executor::execute);
    }

    /** Returns each driver's registration with kubelet; empty if this process registers nothing. */
    public List<Registration> registrations() {
        return registrar.map(Registrar::registrations).orElse(List.of());
    }

    /**
     * Returns the addresses at which it listens, in the order of the settings; a socket's is the path at which it was
     * bound.
     */
    public synchronized List<SocketAddress> addresses() {
        return listening.stream().flatMap(l -> l.addresses().stream()).toList();
    }

    /**
     * Ends the registration with kubelet, stops accepting calls, removes the socket files, and waits for the calls that
     * run.
     *
     * @return whether they all ended in time; those that did not are cut off
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        List<Listening> open;
        synchronized (this) {
            open = List.copyOf(listening);
        }
        registrar.ifPresent(Registrar::close);
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
