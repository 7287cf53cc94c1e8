package dev.fairlead.adapter.k8s.takeover;

import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.adapter.k8s.takeover.OtherFields.Sign;
import dev.fairlead.application.port.out.placement.OtherController;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * Knows that LINSTOR's affinity controller lives by what it does: it renews its Lease, it writes to a PersistentVolume,
 * or it keeps one in LINSTOR. It may run without a Lease; then only its writes show it.
 */
public final class OtherControllerWatch implements OtherController {
    /** The time for which it counts as alive after a write: longer than its cycle and its timeout of a minute. */
    private static final Duration AFTER_A_WRITE = Duration.ofMinutes(2);

    /** The time for which an answer about a Lease holds; a change asks several times in a second. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final List<OtherLease> leases;
    private final OtherFields fields;
    private final OtherControllerEvents events;
    private final InstantSource wall;
    private final InstantSource monotonic;
    private Optional<Sign> write = Optional.empty();
    private Optional<String> wrote = Optional.empty();
    private Instant at = Instant.MIN;
    private Optional<String> lease = Optional.empty();
    private Instant read = Instant.MIN;

    /**
     * @param fields knows its writes to PersistentVolumes
     * @param monotonic a clock that never goes back
     */
    public OtherControllerWatch(
            ApiCalls api,
            List<LeaseName> leases,
            OtherFields fields,
            OtherControllerEvents events,
            Duration patience,
            InstantSource wall,
            InstantSource monotonic) {
        this.leases =
                leases.stream().map(name -> new OtherLease(api, name, patience)).toList();
        this.fields = fields;
        this.events = events;
        this.wall = wall;
        this.monotonic = monotonic;
    }

    @Override
    public synchronized Optional<String> alive() {
        Instant now = monotonic.instant();
        Optional<Sign> newest = fields.seen().or(() -> fields.last().filter(this::isRecent));
        if (newest.isPresent() && !newest.equals(write)) {
            write = newest;
            noted(words(newest.get()), now);
        }
        Optional<String> written = wrote.filter(_ -> Duration.between(at, now).compareTo(AFTER_A_WRITE) < 0);
        return written.or(() -> lease(now));
    }

    private Optional<String> lease(Instant now) {
        if (read.equals(Instant.MIN) || Duration.between(read, now).compareTo(FRESH) >= 0) {
            Optional<String> found = Optional.empty();
            for (OtherLease one : leases) {
                Optional<String> its = one.alive(now);
                found = found.or(() -> its);
            }
            lease = found;
            read = now;
        }
        return lease;
    }

    /** Says whether a write from before this process counts, by the clocks of the API server and of this machine. */
    private boolean isRecent(Sign written) {
        try {
            return Duration.between(Instant.parse(written.time()), wall.instant())
                            .compareTo(AFTER_A_WRITE)
                    < 0;
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private static String words(Sign written) {
        return "it wrote to the PersistentVolume " + written.volume() + " at " + written.time() + ", as "
                + OtherFields.MANAGER;
    }

    @Override
    public synchronized Optional<String> shown() {
        Optional<String> found = fields.last().filter(this::isRecent).map(OtherControllerWatch::words);
        for (OtherLease one : leases) {
            found = found.or(() -> one.shown(wall.instant()));
        }
        return found;
    }

    @Override
    public synchronized void wrote(String what) {
        noted(what, monotonic.instant());
    }

    private void noted(String what, Instant now) {
        wrote = Optional.of(what);
        at = now;
    }

    @Override
    public void announce(Optional<String> sign) {
        events.tell(sign);
    }
}
