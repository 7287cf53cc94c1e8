package dev.fairlead.adapter.k8s.event;

import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.event.ClaimEventWriter.ClaimCondition;
import dev.fairlead.adapter.k8s.event.ClaimSearch.VolumeClaim;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events on the claims of volumes that are not well: one when something begins, and one when it ends.
 *
 * <p>What does not work, or the budget does not allow, is tried again with the next looks. An event that its namespace
 * does not take is given up, and costs no other its turn.
 */
public final class ClaimEvents implements ClaimAnnouncer {
    /** The failures of one look after which the server is left alone until the next. */
    static final int MOST_FAILURES = 3;

    /** The attempts after which one is given up. */
    static final int MOST_ATTEMPTS = 5;

    private static final Logger log = LoggerFactory.getLogger(ClaimEvents.class);

    /** The reasons with which a look does not get to what else may be wrong. */
    private static final Set<HealthReason> BLIND = EnumSet.of(
            HealthReason.LOOK_FAILED,
            HealthReason.SERVER_SILENT,
            HealthReason.MOUNT_LOST,
            HealthReason.NOT_MOUNTED,
            HealthReason.TRANSPORT_DEAD,
            HealthReason.FILESYSTEM_SHUT_DOWN);

    private final ApiClient api;
    private final ClaimSearch claims;
    private final ClaimEventWriter writer;
    private final EventRecorder recorder;
    private final ClaimBudget budget;
    private final AtomicReference<Optional<Map<String, VolumeHealth>>> newest = new AtomicReference<>(Optional.empty());

    // guarded by this; the recorder looks at one after the other, by whichever thread
    private final SortedMap<Wrong, Optional<VolumeClaim>> told = new TreeMap<>();
    private final Map<Wrong, Integer> attempts = new HashMap<>();
    private final Set<StorageException> failures = new HashSet<>();
    private Optional<Wrong> last = Optional.empty();
    private boolean refused;

    /** @param recorder runs what it is offered on one thread, one after the other */
    public ClaimEvents(
            ApiClient api, ClaimEventSettings here, EventRecorder recorder, ClaimBudget budget, InstantSource wall) {
        this.api = api;
        this.claims = new ClaimSearch(api, here.drivers());
        this.writer = new ClaimEventWriter(api, here.node(), wall);
        this.recorder = recorder;
        this.budget = budget;
    }

    /** Names what is wrong with which volume. */
    private record Wrong(String handle, HealthReason reason) implements Comparable<Wrong> {
        @Override
        public int compareTo(Wrong other) {
            return Comparator.comparing(Wrong::handle)
                    .thenComparing(Wrong::reason)
                    .compare(this, other);
        }
    }

    @Override
    public void found(Map<String, VolumeHealth> volumes) {
        newest.set(Optional.of(Map.copyOf(volumes)));
        var _ = recorder.offer(() -> newest.getAndSet(Optional.empty()).ifPresent(this::compare));
    }

    private synchronized void compare(Map<String, VolumeHealth> volumes) {
        // of what is not staged here any more nobody here knows whether it is well
        told.keySet().removeIf(it -> !volumes.containsKey(it.handle()));
        NavigableSet<Wrong> changed = changed(volumes);
        attempts.keySet().retainAll(changed);
        failures.clear();
        ClaimSearch.Look look = claims.look();
        try {
            for (Wrong wrong : inTurn(changed)) {
                if (failures.size() >= MOST_FAILURES || !budget.isLeft()) {
                    break;
                }
                last = Optional.of(wrong);
                if (budget.spend(wrong.handle())) {
                    tell(wrong, look);
                }
            }
        } finally {
            api.idle();
        }
    }

    /** Returns all in an order that goes on where the last look ended, so that each has its turn. */
    private List<Wrong> inTurn(NavigableSet<Wrong> changed) {
        return last.map(it -> Stream.concat(changed.tailSet(it, false).stream(), changed.headSet(it, true).stream())
                        .toList())
                .orElseGet(() -> List.copyOf(changed));
    }

    /** Returns what has begun, and what is over and was told. */
    private NavigableSet<Wrong> changed(Map<String, VolumeHealth> volumes) {
        Set<Wrong> now = new HashSet<>();
        volumes.forEach((handle, health) -> health.conditions().forEach(it -> now.add(new Wrong(handle, it.reason()))));
        told.entrySet().removeIf(it -> it.getValue().isEmpty() && isOver(it.getKey(), now, volumes));
        NavigableSet<Wrong> changed = new TreeSet<>(now);
        changed.removeAll(told.keySet());
        told.keySet().stream().filter(it -> isOver(it, now, volumes)).forEach(changed::add);
        return changed;
    }

    private static boolean isOver(Wrong before, Set<Wrong> now, Map<String, VolumeHealth> volumes) {
        return !now.contains(before)
                && volumes.getOrDefault(before.handle(), VolumeHealth.GOOD).conditions().stream()
                        .noneMatch(it -> BLIND.contains(it.reason()));
    }

    private void tell(Wrong wrong, ClaimSearch.Look look) {
        boolean begins = !told.containsKey(wrong);
        try {
            Optional<VolumeClaim> claim = begins ? look.of(wrong.handle()) : told.getOrDefault(wrong, Optional.empty());
            Optional<ClaimCondition> condition =
                    claim.map(it -> new ClaimCondition(it, wrong.handle(), wrong.reason()));
            Optional<StorageException> refusal = condition.flatMap(begins ? writer::begin : writer::end);
            if (refusal.isPresent()) {
                complain(refusal.get());
            } else {
                refused = false;
            }
            settle(wrong, claim.filter(_ -> refusal.isEmpty()));
        } catch (StorageException e) {
            failures.add(e); // one and the same if a list that several need could not be had
            complain(e);
            if (attempts.merge(wrong, 1, Integer::sum) >= MOST_ATTEMPTS) {
                settle(wrong, Optional.empty());
            }
        }
    }

    /**
     * Leaves something that has begun or ended as it is now.
     *
     * @param claim the claim that knows of the beginning; empty if there is none
     */
    private void settle(Wrong wrong, Optional<VolumeClaim> claim) {
        attempts.remove(wrong);
        if (told.containsKey(wrong)) {
            told.remove(wrong);
        } else {
            told.put(wrong, claim);
        }
    }

    /** Warns once until it works again; the log has what is wrong with each volume anyway. */
    private void complain(StorageException why) {
        if (!refused) {
            log.atWarn()
                    .addKeyValue(
                            "reason", why.failure().code() + " " + why.failure().message())
                    .log("what is wrong with a volume could not be told by an event on its claim");
        }
        refused = true;
    }
}
