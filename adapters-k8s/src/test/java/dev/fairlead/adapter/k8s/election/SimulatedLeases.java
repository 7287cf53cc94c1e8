package dev.fairlead.adapter.k8s.election;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.VirtualTime;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** One Lease on a server that is slow, loses requests and answers, and does some of them when nobody waits any more. */
final class SimulatedLeases {
    private final VirtualTime time;
    private final Random random;
    private final double faults;
    private Optional<Lease> lease = Optional.empty();
    private long version;

    SimulatedLeases(VirtualTime time, Random random, double faults) {
        this.time = time;
        this.random = random;
        this.faults = faults;
    }

    void delete() {
        lease = Optional.empty();
    }

    String holder() {
        return lease.map(found -> found.claim().holder()).orElse("");
    }

    private Optional<Lease> write(Lease.Claim claim) {
        lease = Optional.of(new Lease(new JsonObject(), Long.toString(++version), claim));
        return lease;
    }

    /** What one replica sees of it, once it has met the network. */
    Leases connection() {
        return new Leases() {
            @Override
            public Optional<Lease> find(Duration patience) {
                return call(patience, () -> lease);
            }

            @Override
            public Optional<Lease> create(Lease.Claim claim, Duration patience) {
                return call(patience, () -> lease.isPresent() ? Optional.empty() : write(claim));
            }

            @Override
            public Optional<Lease> update(Lease known, Lease.Claim claim, Duration patience) {
                return call(
                        patience,
                        () -> lease.filter(now -> now.version().equals(known.version()))
                                .flatMap(_ -> write(claim)));
            }

            @Override
            public String name() {
                return "ns/lease";
            }
        };
    }

    private Optional<Lease> call(Duration patience, Supplier<Optional<Lease>> effect) {
        boolean lost = random.nextDouble() < faults;
        Duration way = delay();
        Duration back = delay();
        if (lost || way.plus(back).compareTo(patience) >= 0) {
            boolean happens = random.nextBoolean();
            if (happens) {
                time.actor(way, () -> {
                    var _ = effect.get();
                });
            }
            time.sleep(patience);
            throw new StorageException(new Failure.ClusterUnavailable("a call", "no answer"));
        }
        time.sleep(way);
        Optional<Lease> result = effect.get();
        time.sleep(back);
        return result;
    }

    /** Mostly a few milliseconds, at times seconds. */
    private Duration delay() {
        return random.nextDouble() < faults
                ? Duration.ofMillis(random.nextInt(7000))
                : Duration.ofMillis(1 + random.nextInt(20));
    }
}
