package dev.fairlead.application.service.health;

import dev.fairlead.application.port.in.node.MeasureVolume.Usage;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** Remembers how full volumes were when that was read last, for the time in which it cannot be read. */
public final class ReadUsages {
    /** The age at which nobody is told a usage any more. */
    public static final Duration OLDEST = Duration.ofHours(1);

    /** More mounts than a node has of volumes; the one that was read the longest time ago is forgotten first. */
    static final int MOST = 1024;

    private final InstantSource clock;
    private final SequencedMap<UsageKey, Read> read = new LinkedHashMap<>();

    /** @param clock one that never goes back */
    public ReadUsages(InstantSource clock) {
        this.clock = clock;
    }

    /** Names what was measured: another mount at the same path is another thing. */
    private record UsageKey(String handle, int mount) {}

    /**
     * Holds what was read.
     *
     * @param begun when reading it began, from which its age counts
     * @param answeredLater whether it was told again when it could not be read
     */
    private record Read(Usage usage, Instant begun, boolean answeredLater) {}

    /** Reads a usage and remembers it. */
    public Usage reading(String handle, MountEntry mount, Supplier<Usage> usage) {
        Instant begun = clock.instant();
        Usage now = usage.get();
        synchronized (this) {
            read.putLast(new UsageKey(handle, mount.id()), new Read(now, begun, false));
            if (read.size() > MOST) {
                read.pollFirstEntry();
            }
        }
        return now;
    }

    /** Returns what was read last of this mount, with its age; empty if nothing was, or too long ago. */
    public synchronized Optional<Usage> last(String handle, MountEntry mount) {
        UsageKey key = new UsageKey(handle, mount.id());
        return fresh(key).map(it -> {
            read.replace(key, new Read(it.usage(), it.begun(), true));
            return it.usage().aged(age(it));
        });
    }

    /** Returns that what is told of the usage of a mount is not read at the moment; empty if it is. */
    synchronized Optional<HealthCondition> outdated(String handle, MountEntry mount) {
        return fresh(new UsageKey(handle, mount.id()))
                .filter(Read::answeredLater)
                .map(it -> HealthRules.outdated(age(it).toSeconds() + 1)); // told in whole seconds, and no younger
    }

    private Optional<Read> fresh(UsageKey key) {
        return Optional.ofNullable(read.get(key)).filter(it -> age(it).compareTo(OLDEST) <= 0);
    }

    private Duration age(Read usage) {
        return Duration.between(usage.begun(), clock.instant());
    }
}
