package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.grpc.socket.Transport;
import java.util.List;

/**
 * Keeps a registration socket for each driver in kubelet's folder, on a thread of its own.
 *
 * <p>Kubelet reads the folder when it starts and follows it while it runs; after a registration that failed it waits
 * for up to two minutes. So a socket appears there only once its driver answers, and again whenever it is no longer
 * there.
 */
final class Registrar implements Runnable, AutoCloseable {
    private final GrpcSettings.Registration settings;
    private final List<KubeletRegistration> registrations;
    private volatile boolean closed;

    Registrar(GrpcSettings.Registration settings, List<GrpcSettings.DriverEndpoints> drivers, Transport transport) {
        this.settings = settings;
        this.registrations = drivers.stream()
                .map(driver -> new KubeletRegistration(driver, settings, transport))
                .toList();
    }

    @Override
    public void run() {
        try (GrpcSettings.FolderChanges changes = settings.changes().apply(settings.folder())) {
            while (!closed) {
                changes.watch();
                registrations.forEach(KubeletRegistration::keep);
                boolean all = registrations.stream().noneMatch(KubeletRegistration::isWaiting);
                changes.await(all ? settings.interval() : settings.patience());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
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
