package dev.fairlead.bootstrap.monitor;

import dev.fairlead.adapter.grpc.GrpcServer.Registration;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.adapter.grpc.socket.CsiProbe;
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
 * Checks whether this process is alive and whether it is ready. It checks the process alone, never a storage: one that
 * is down must not make the cluster restart the driver, which would take the others down too.
 */
public final class Health {
    private final SortedMap<String, Path> sockets;
    private final Supplier<List<Registration>> registrations;
    private final Duration patience;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);
    private final AtomicReference<Optional<String>> remark = new AtomicReference<>(Optional.empty());

    /**
     * @param sockets each CSI name and the path of its socket
     * @param patience how long a call through a socket may take
     */
    public Health(Map<String, Path> sockets, Supplier<List<Registration>> registrations, Duration patience) {
        this.sockets = new TreeMap<>(sockets);
        this.registrations = registrations;
        this.patience = patience;
    }

    /**
     * Holds the result of a check.
     *
     * @param lines for a person, one for each thing that was looked at
     */
    public record Report(boolean good, List<String> lines) {
        public Report {
            lines = List.copyOf(lines);
        }
    }

    /** Sets the phase of the process; one that is ending stays in that phase. */
    public void enter(Phase next) {
        phase.updateAndGet(now -> now == Phase.ENDING ? now : next);
    }

    public Phase phase() {
        return phase.get();
    }

    /**
     * Sets what a person has to know although the process itself is well: another start of it, or leaving it aside,
     * would help nobody. Empty if there is nothing.
     */
    public void remark(Optional<String> text) {
        remark.set(text);
    }

    /** Returns what a person has to know although the process itself is well. */
    public Optional<String> remark() {
        return remark.get();
    }

    /** Checks whether the process can answer a call to itself; if it cannot, it is to be restarted. */
    public Report live() {
        Phase now = phase();
        return now == Phase.SERVING ? answering() : new Report(true, List.of(name(now)));
    }

    /**
     * Checks whether the process serves and is registered with kubelet; a standby that could take over counts as ready.
     */
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
        remark().ifPresent(lines::add);
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
