package dev.fairlead.bootstrap.monitor;

import dev.fairlead.adapter.grpc.CsiProbe;
import dev.fairlead.adapter.grpc.GrpcServer.Registration;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Whether this process is alive, and whether it is of use; of itself alone, never of a storage: one that is down must
 * not make the cluster restart the driver, which would take the others down too.
 */
public final class Health {
    private final SortedMap<String, Path> sockets;
    private final Supplier<List<Registration>> registrations;
    private final Duration patience;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

    /**
     * @param sockets each CSI name and where it is served
     * @param patience how long a call through a socket may take
     */
    public Health(Map<String, Path> sockets, Supplier<List<Registration>> registrations, Duration patience) {
        this.sockets = new TreeMap<>(sockets);
        this.registrations = registrations;
        this.patience = patience;
    }

    /**
     * What was found.
     *
     * @param lines for a person, one for each thing that was looked at
     */
    public record Report(boolean good, List<String> lines) {
        public Report {
            lines = List.copyOf(lines);
        }
    }

    /** Says where the process is now; what is to end goes on ending. */
    public void enter(Phase next) {
        phase.updateAndGet(now -> now == Phase.ENDING ? now : next);
    }

    public Phase phase() {
        return phase.get();
    }

    /** Whether it can answer a call to itself; the answer no means that it is to be started anew. */
    public Report live() {
        Phase now = phase();
        return now == Phase.SERVING ? answering() : new Report(true, List.of(name(now)));
    }

    /** Whether it does what it is here for; a standby that could take over counts as that. */
    public Report ready() {
        Phase now = phase();
        if (now != Phase.SERVING) {
            return new Report(now == Phase.STANDBY, List.of(name(now)));
        }
        Report answering = answering();
        List<String> lines = new ArrayList<>(answering.lines());
        boolean good = answering.good();
        for (Registration one : registrations.get()) {
            good &= one.state() == RegistrationState.REGISTERED;
            lines.add("kubelet " + one.driver() + ": " + one.state().name().toLowerCase(Locale.ROOT)
                    + (one.detail().isEmpty() ? "" : ": " + one.detail()));
        }
        return new Report(good, lines);
    }

    private Report answering() {
        List<String> lines = new ArrayList<>(List.of(name(Phase.SERVING)));
        boolean good = true;
        for (Map.Entry<String, Path> socket : sockets.entrySet()) {
            Optional<String> obstacle = CsiProbe.obstacle(socket.getValue(), patience);
            good &= obstacle.isEmpty();
            lines.add("csi " + socket.getKey() + ": " + obstacle.orElse("answers"));
        }
        return new Report(good, lines);
    }

    private static String name(Phase phase) {
        return switch (phase) {
            case STARTING -> "starting";
            case STANDBY -> "standby: another replica leads";
            case SERVING -> "serving";
            case ENDING -> "ending: calls that run may finish";
        };
    }
}
