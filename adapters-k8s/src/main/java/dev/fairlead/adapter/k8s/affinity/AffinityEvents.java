package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.event.Budget;
import dev.fairlead.adapter.k8s.event.EventRecord;
import dev.fairlead.adapter.k8s.event.EventRecorder;
import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records {@code v1} events on PersistentVolumes and their claims, beside whoever tells of them. For use by one thread.
 */
public final class AffinityEvents implements AffinityAnnouncer {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The time for which a server keeps events, unless it was told another. */
    private static final Duration KEPT = Duration.ofHours(1);

    /** The time for which a change is unfinished before that is told: a claim takes seconds to be bound again. */
    private static final Duration LASTS = Duration.ofSeconds(10);

    private static final int MOST_REMEMBERED = 20_000;

    private final ApiCalls api;
    private final VolumeCalls volumes;
    private final EventRecorder recorder;
    private final Budget budget;
    private final Budget unknowns;
    private final InstantSource wall;
    private final Map<String, Map<String, Instant>> told = new HashMap<>();
    private final Map<String, Instant> unfinished = new HashMap<>();
    private volatile Map<String, VolumePlacement.Unknown> before = Map.of();
    private volatile Set<String> toldUnknown = Set.of();

    /**
     * @param recorder records them, so that a server that takes no events delays nothing else
     * @param budget the events that may be recorded
     * @param unknowns those of unknown places: a storage that does not answer concerns all of its volumes, and must not
     *     use up the events of the others
     */
    public AffinityEvents(ApiCalls api, EventRecorder recorder, Budget budget, Budget unknowns, InstantSource wall) {
        this.api = api;
        this.recorder = recorder;
        this.volumes = new VolumeCalls(api, PATIENCE);
        this.budget = budget;
        this.unknowns = unknowns;
        this.wall = wall;
    }

    private record Told(String reason, boolean warning, String text) {}

    @Override
    public void ended(ChangeOutcome outcome) {
        if (outcome.result() == ChangeOutcome.Result.UNFINISHED && !lasts(outcome.volume())) {
            return;
        }
        if (outcome.result() != ChangeOutcome.Result.UNFINISHED) {
            unfinished.remove(outcome.volume());
        }
        Told event = switch (outcome.result()) {
            case IN_PLACE, REPLACED -> new Told("VolumeAffinityChanged", false, outcome.message());
            case RETAINED -> new Told("VolumeRetained", true, outcome.message());
            case BLOCKED -> new Told("VolumeAffinityBlocked", true, outcome.message());
            case UNFINISHED -> new Told("VolumeAffinityUnfinished", true, outcome.message());
            case ABANDONED -> new Told("VolumeAffinityUnchanged", false, outcome.message());
        };
        boolean ended = outcome.result() == ChangeOutcome.Result.IN_PLACE
                || outcome.result() == ChangeOutcome.Result.REPLACED
                || outcome.result() == ChangeOutcome.Result.RETAINED;
        if (ended) {
            told.remove(outcome.volume());
        }
        String what = event.reason()
                + outcome.finding().map(found -> " " + found.code()).orElse("");
        if (ended) {
            tell(outcome.volume(), event, budget);
        } else {
            tellNew(outcome.volume(), what, event);
        }
    }

    private boolean lasts(String volume) {
        if (unfinished.size() > MOST_REMEMBERED) {
            unfinished.clear();
        }
        Instant now = wall.instant();
        Instant since = unfinished.computeIfAbsent(volume, _ -> now);
        return !now.isBefore(since.plus(LASTS));
    }

    @Override
    public void unknown(Map<String, VolumePlacement.Unknown> volumes) {
        Set<String> still = new HashSet<>();
        volumes.forEach((volume, why) -> {
            String text = why.message();
            // A storage that starts anew says nothing for a moment; only what lasts is worth an event.
            boolean lasts = Optional.ofNullable(before.get(volume))
                    .filter(earlier -> earlier.finding().equals(why.finding()))
                    .isPresent();
            boolean was = toldUnknown.contains(volume);
            if (why.finding().isPresent() && lasts && !was) {
                was = tell(volume, new Told("VolumeAffinityUnknown", true, text), unknowns);
            }
            if (was && lasts) {
                still.add(volume);
            }
        });
        toldUnknown = still;
        before = Map.copyOf(volumes);
    }

    @Override
    public void waits(AffinityChange change, ChangeDelay delay) {
        boolean worth = delay.reason() != WaitReason.SETTLING && delay.reason() != WaitReason.NOT_READ;
        if (worth) {
            String code =
                    delay.reason().finding().map(found -> found.code() + " ").orElse("");
            String text =
                    code + "the data is now at " + change.to() + "; the affinity is not changed yet: " + delay.text();
            boolean warning = delay.reason() == WaitReason.BREAKER || !code.isEmpty();
            tellNew(change.volume(), delay.reason().word(), new Told("VolumeAffinityWaits", warning, text));
        }
    }

    @Override
    public long dropped() {
        return recorder.dropped();
    }

    @Override
    public void close() {
        recorder.close();
    }

    /** Tells what was not told before; what is too much now is new the next time. */
    private void tellNew(String volume, String what, Told event) {
        if (isNew(volume, what) && !tell(volume, event, budget)) {
            Optional.ofNullable(told.get(volume)).ifPresent(its -> its.remove(what));
        }
    }

    /** Says whether something is to be told: what stays so is told again when its event has expired. */
    private boolean isNew(String volume, String what) {
        if (told.size() > MOST_REMEMBERED) {
            told.clear();
        }
        Instant now = wall.instant();
        Map<String, Instant> its = told.computeIfAbsent(volume, _ -> new HashMap<>());
        boolean isNew = Optional.ofNullable(its.get(what))
                .filter(last -> now.isBefore(last.plus(KEPT)))
                .isEmpty();
        if (isNew) {
            its.put(what, now);
        }
        return isNew;
    }

    /** Says whether it is told, or cannot be; false if there have been too many. */
    private boolean tell(String name, Told event, Budget allowed) {
        Instant now = wall.instant();
        return allowed.spend() && recorder.offer(() -> record(name, event, now));
    }

    private void record(String name, Told event, Instant now) {
        Optional<VolumeObject> volume = volumes.read(name);
        // Of one that is gone its name alone is known, by which its events are still found.
        String uid = volume.map(VolumeObject::uid).orElse("");
        try {
            record("default", EventRecord.about("v1", "PersistentVolume", name, uid), event, now);
        } finally {
            // Its namespace may take events where the other does not.
            volume.flatMap(VolumeObject::claim).ifPresent(claim -> claimed(claim, event, now));
        }
    }

    private void claimed(ClaimReference claim, Told event, Instant now) {
        record(
                claim.namespace(),
                EventRecord.about("v1", "PersistentVolumeClaim", claim.namespace(), claim.name(), claim.uid()),
                event,
                now);
    }

    private void record(String namespace, JsonObject about, Told told, Instant now) {
        var event = new EventRecord(
                "fairlead-affinity", about, told.warning(), told.reason(), EventRecord.onOneLine(told.text()));
        ApiRequest request = event.request(namespace, now);
        if (api.ask(request, PATIENCE) instanceof ApiAnswer.Refused refused) {
            throw ApiFailures.refused(request.what(), refused);
        }
    }
}
