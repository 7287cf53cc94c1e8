package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.grpc.socket.Transport;
import dev.fairlead.application.port.work.ToldError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps a registration socket for each driver in kubelet's folder, on a thread of its own.
 *
 * <p>Kubelet reads the folder when it starts and follows it while it runs; after a registration that failed it waits
 * for up to two minutes. So a socket appears there only once its driver answers, and again whenever it is no longer
 * there.
 */
final class Registrar implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Registrar.class);

    private final GrpcSettings.Registration settings;
    private final List<KubeletRegistration> registrations;
    /** The error of each step that was told last; only the one thread writes it. */
    private final Map<String, ToldError> told = new HashMap<>();

    private volatile boolean closed;

    Registrar(GrpcSettings.Registration settings, List<GrpcSettings.DriverEndpoints> drivers, Transport transport) {
        this.settings = settings;
        this.registrations = drivers.stream()
                .map(driver -> new KubeletRegistration(driver, settings, transport))
                .toList();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                follow();
                TimeUnit.NANOSECONDS.sleep(settings.patience().toNanos()); // it ended by an error
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps the sockets as long as the folder can be followed; returns if it is closed, or after an error. */
    private void follow() throws InterruptedException {
        try (GrpcSettings.FolderChanges changes = settings.changes().apply(settings.folder())) {
            while (!closed) {
                surviving("following kubelet's folder", changes::watch);
                registrations.forEach(
                        it -> surviving("registering " + it.registration().driver(), it::keep));
                boolean all = registrations.stream().noneMatch(KubeletRegistration::isWaiting);
                changes.await(all ? settings.interval() : settings.patience());
            }
        } catch (RuntimeException | Error e) {
            tell("following kubelet's folder", e);
        }
    }

    /** Logs an error of the program: a driver without its socket is one that its node has not. */
    private void surviving(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            tell(what, e);
        }
    }

    /** Logs an error with its trace once, and in one line as long as it is repeated. */
    private void tell(String what, Throwable thrown) {
        LoggingEventBuilder line = log.atError().addKeyValue("step", what);
        boolean isNew = told.computeIfAbsent(what, _ -> new ToldError()).isNew(thrown);
        (isNew ? line.setCause(thrown) : line.addKeyValue("error", thrown.toString()))
                .log("an unexpected error; the step is tried again");
    }

    List<GrpcServer.Registration> registrations() {
        return registrations.stream().map(KubeletRegistration::registration).toList();
    }

    /** Removes the sockets, by which kubelet learns that the drivers are going; none appears afterwards. */
    @Override
    public void close() {
        closed = true;
        registrations.forEach(KubeletRegistration::close);
    }
}
