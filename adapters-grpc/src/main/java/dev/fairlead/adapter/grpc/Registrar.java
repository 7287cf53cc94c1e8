package dev.fairlead.adapter.grpc;

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
    private final List<Announcement> announcements;
    private volatile boolean closed;

    Registrar(GrpcSettings.Registration settings, List<GrpcSettings.Driver> drivers, Transport transport) {
        this.settings = settings;
        this.announcements = drivers.stream()
                .map(driver -> new Announcement(driver, settings, transport))
                .toList();
    }

    @Override
    public void run() {
        try (GrpcSettings.FolderChanges changes = settings.changes().apply(settings.folder())) {
            while (!closed) {
                changes.watch();
                announcements.forEach(Announcement::keep);
                boolean all = announcements.stream().noneMatch(Announcement::isWaiting);
                changes.await(all ? settings.interval() : settings.patience());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    List<GrpcServer.Registration> registrations() {
        return announcements.stream().map(Announcement::registration).toList();
    }

    /** Removes the sockets, by which kubelet learns that the drivers are going; none appears afterwards. */
    @Override
    public void close() {
        closed = true;
        announcements.forEach(Announcement::close);
    }
}
