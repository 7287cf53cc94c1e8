package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.topology.TopologySegment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Knows where the volumes of one pool are: wherever its disk is. */
public final class PlacedPool {
    /** The time that an identity is used for, since a list asks for it with each volume. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final ConnectionName connection;
    private final String name;
    private final Path path;
    private final String key;
    private final DiskQuestion question;
    private final DiskIdentity look;
    private final InstantSource clock;
    private final Supplier<Optional<Map<String, String>>> registered;
    private Optional<Seen> last = Optional.empty();
    private volatile boolean closed;

    /**
     * @param key the topology key, prefix included
     * @param registered the labels of this node; empty if nobody has registered it
     */
    PlacedPool(
            ConnectionName connection,
            String name,
            Path path,
            String key,
            DiskQuestion question,
            DiskIdentity look,
            InstantSource clock,
            Supplier<Optional<Map<String, String>>> registered) {
        this.connection = connection;
        this.name = name;
        this.path = path;
        this.key = key;
        this.question = question;
        this.look = look;
        this.clock = clock;
        this.registered = registered;
    }

    private record Seen(Instant when, Optional<String> value) {}

    ConnectionName connection() {
        return connection;
    }

    String name() {
        return name;
    }

    String key() {
        return key;
    }

    /** Returns the identity of the disk that is there now; empty if it has none or does not answer. */
    synchronized Optional<String> value() {
        Instant now = clock.instant();
        Optional<Seen> fresh = last.filter(
                it -> !now.isBefore(it.when()) && now.isBefore(it.when().plus(FRESH)));
        Seen seen = fresh.orElseGet(() -> {
            Optional<String> there = look();
            return new Seen(clock.instant(), there); // it may have taken longer than it is used for
        });
        last = Optional.of(seen);
        return seen.value();
    }

    private Optional<String> look() {
        try {
            return question.ask(path + " with its identity", () -> look.of(path))
                    .filter(it -> TopologyLabels.valueProblem(it).isEmpty());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Lets another connection have a pool of this name. */
    public void close() {
        closed = true;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Returns from where volumes of the pool are reachable; unknown while its disk does not tell. */
    public Placement placement() {
        return value().<Placement>map(it -> new Placement.Within(
                        List.of(new Placement.Place(TopologySegment.of(Map.of(key, it)), TopologySegment.EVERYWHERE))))
                .orElse(Placement.UNKNOWN);
    }

    /** Returns whether one of the terms has the disk that is there now. */
    public boolean isNamedBy(AccessibilityRequirement wanted) {
        Optional<String> now = value();
        return wanted.requisite().stream()
                .flatMap(term -> term.labels().entrySet().stream())
                .anyMatch(label -> label.getKey().equalsIgnoreCase(key)
                        && now.filter(label.getValue()::equals).isPresent());
    }

    /** Returns whether the disk does not tell what it is. */
    public boolean isUntold() {
        return value().isEmpty();
    }

    /** Throws if nothing may be made here now, or not from where it is wanted. */
    public void check(AccessibilityRequirement wanted) {
        elsewhere().ifPresent(why -> {
            throw new StorageException(why);
        });
        if (!TopologyChoice.satisfies(placement(), wanted)) {
            throw new StorageException(new Failure.Unreachable("pool '" + name + "' of connection " + connection
                    + " is where " + key + " is " + value().orElse("unknown") + ", and that is not wanted"));
        }
    }

    /** Returns why no volume is made here now; empty if it may be. */
    public Optional<Failure> elsewhere() {
        Optional<String> now = value();
        if (now.isEmpty()) {
            return Optional.of(new Failure.BackendUnavailable(
                    connection.value(),
                    "the disk of pool '" + name + "' at " + path + " tells no identity, by which its volumes are"
                            + " placed (topology: disk); mount it, or use a file system that has a UUID"));
        }
        Optional<Map<String, String>> labels = registered.get();
        if (labels.isEmpty() || now.equals(Optional.ofNullable(labels.get().get(key)))) {
            return Optional.empty();
        }
        String there = "the disk of pool '" + name + "' at " + path + " is " + now.get() + ", and this node ";
        return Optional.of(new Failure.DiskElsewhere(
                connection.value(),
                Optional.ofNullable(labels.get().get(key))
                        .map(it -> there + "has the label " + key + "=" + it + "; if this is the right disk, remove the"
                                + " label from the Node and restart the driver's pod here, else mount the other one")
                        .orElse(there + "has registered without the label " + key
                                + "; restart the driver's pod here")));
    }
}
