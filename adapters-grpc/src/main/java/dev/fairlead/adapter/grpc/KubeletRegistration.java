package dev.fairlead.adapter.grpc;

import dev.fairlead.adapter.grpc.GrpcServer.Registration;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.adapter.grpc.call.Rpc;
import dev.fairlead.adapter.grpc.socket.CsiProbe;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.grpc.socket.Listening;
import dev.fairlead.adapter.grpc.socket.SocketFile;
import dev.fairlead.adapter.grpc.socket.Transport;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import pluginregistration.v1.RegistrationStatus;

/** Keeps one driver registered with kubelet: its socket, and what kubelet said. */
final class KubeletRegistration implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KubeletRegistration.class);
    private static final int LONGEST_REASON = 1024;
    private static final Set<PosixFilePermission> FOR_ROOT =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final GrpcSettings.DriverEndpoints driver;
    private final Transport transport;
    private final Duration patience;
    private final GrpcSettings.UnixSocket place;
    private Optional<Listening> listening = Optional.empty();
    private boolean closed;
    private final AtomicReference<Registration> registration;

    KubeletRegistration(GrpcSettings.DriverEndpoints driver, GrpcSettings.Registration settings, Transport transport) {
        String name = driver.profile().name();
        this.driver = driver;
        this.transport = transport;
        this.patience = settings.patience();
        this.place = new GrpcSettings.UnixSocket(settings.folder().resolve(name + "-reg.sock"), FOR_ROOT);
        this.registration = new AtomicReference<>(new Registration(name, RegistrationState.WAITING, "not begun", 0));
    }

    Registration registration() {
        return registration.get();
    }

    boolean isWaiting() {
        return registration().state() == RegistrationState.WAITING;
    }

    /** Sees to it that the socket is in its place, if the driver answers. */
    synchronized void keep() {
        if (closed || listening.filter(KubeletRegistration::isInPlace).isPresent()) {
            return;
        }
        Registration before = registration.get();
        if (listening.isPresent()) {
            say(Level.WARN, "the registration socket is gone; it is made again");
            stop();
        }
        Optional<String> obstacle = CsiProbe.obstacle(driver.socket(), patience)
                .map(why -> driver.socket() + ": " + why)
                .or(this::announce);
        obstacle.ifPresent(why -> waitFor(why, before));
    }

    private static boolean isInPlace(Listening listening) {
        return listening.file().filter(SocketFile::isInPlace).isPresent();
    }

    /** Makes the registration socket and returns why it could not, if so; kubelet may answer before this returns. */
    private Optional<String> announce() {
        become(RegistrationState.ANNOUNCED, "kubelet has not answered yet");
        try {
            var service = new RegistrationService(driver, this::told);
            listening = Optional.of(Listening.at(place, transport, List.of(service.bindService())));
            say(Level.INFO, "registration socket made");
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.failure().message());
        }
    }

    private void waitFor(String obstacle, Registration before) {
        become(RegistrationState.WAITING, obstacle);
        if (before.state() != RegistrationState.WAITING || !before.detail().equals(obstacle)) {
            log.atWarn()
                    .addKeyValue(LogKeys.DRIVER, driver.profile().name())
                    .addKeyValue(LogKeys.SOCKET, place.path())
                    .addKeyValue("reason", obstacle)
                    .log("not registered with kubelet yet");
        }
    }

    private void told(RegistrationStatus status) {
        if (status.getPluginRegistered()) {
            become(RegistrationState.REGISTERED, "");
            say(Level.INFO, "registered with kubelet");
            return;
        }
        String reason = Rpc.fitForLog(status.getError(), LONGEST_REASON);
        registration.updateAndGet(
                was -> new Registration(was.driver(), RegistrationState.REFUSED, reason, was.refusals() + 1));
        log.atError()
                .addKeyValue(LogKeys.DRIVER, driver.profile().name())
                .addKeyValue(LogKeys.SOCKET, place.path())
                .addKeyValue("reason", reason)
                .log("kubelet refused the registration; it tries again by itself");
    }

    private void become(RegistrationState state, String detail) {
        registration.updateAndGet(was -> new Registration(was.driver(), state, detail, was.refusals()));
    }

    private void say(Level level, String what) {
        log.atLevel(level)
                .addKeyValue(LogKeys.DRIVER, driver.profile().name())
                .addKeyValue(LogKeys.SOCKET, place.path())
                .log(what);
    }

    private void stop() {
        listening.ifPresent(gone -> {
            gone.stopAccepting();
            gone.abandon();
        });
        listening = Optional.empty();
    }

    @Override
    public synchronized void close() {
        closed = true;
        stop();
    }
}
