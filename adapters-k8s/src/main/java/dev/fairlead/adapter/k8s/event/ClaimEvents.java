package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.adapter.k8s.event.ClaimSearch.VolumeClaim;
import dev.fairlead.application.port.out.cluster.ClaimAnnouncer;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events on the claims of volumes that are not well: one when something begins, and one when it ends.
 *
 * <p>An event's name is made of what it is about, so that a process that is started anew finds what the former one has
 * told, and tells it no second time; what begins again is the same event at a later time. What the server does not
 * take, or the budget does not allow, is tried again with the next looks.
 */
public final class ClaimEvents implements ClaimAnnouncer {
    /** The failures of one look after which the server is left alone until the next. */
    static final int MOST_FAILURES = 3;

    /** The attempts after which one is given up, so that it takes no other one's turn. */
    static final int MOST_ATTEMPTS = 5;

    private static final Logger log = LoggerFactory.getLogger(ClaimEvents.class);
    private static final int LONGEST_NAME = 200;

    private final ApiClient api;
    private final ClaimEventSettings here;
    private final ClaimSearch claims;
    private final EventRecorder recorder;
    private final Budget budget;
    private final InstantSource wall;
    private final AtomicReference<Optional<Map<String, VolumeHealth>>> newest = new AtomicReference<>(Optional.empty());

    // guarded by this; the recorder looks at one after the other, by whichever thread
    private final SortedMap<Wrong, Told> told = new TreeMap<>();
    private final Map<Wrong, Integer> attempts = new HashMap<>();
    private int failures;
    private boolean begun;
    private boolean refused;

    /** @param recorder runs what it is offered on one thread, one after the other */
    public ClaimEvents(
            ApiClient api, ClaimEventSettings here, EventRecorder recorder, Budget budget, InstantSource wall) {
        this.api = api;
        this.here = here;
        this.claims = new ClaimSearch(api, here.drivers());
        this.recorder = recorder;
        this.budget = budget;
        this.wall = wall;
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

    /** Says whether something was told on a claim, or nobody could be told. */
    private enum Told {
        ON_CLAIM,
        NOWHERE,
        /** It is to be tried again. */
        LATER
    }

    @Override
    public void found(Map<String, VolumeHealth> volumes) {
        newest.set(Optional.of(Map.copyOf(volumes)));
        var _ = recorder.offer(() -> newest.getAndSet(Optional.empty()).ifPresent(this::compare));
    }

    private synchronized void compare(Map<String, VolumeHealth> volumes) {
        SortedMap<Wrong, String> now = new TreeMap<>();
        volumes.forEach((handle, health) -> {
            for (HealthCondition condition : health.conditions()) {
                now.merge(
                        new Wrong(handle, condition.reason()), condition.message(), (one, other) -> one + "; " + other);
            }
        });
        failures = 0;
        try {
            for (Map.Entry<Wrong, Told> before : new ArrayList<>(told.entrySet())) {
                Wrong wrong = before.getKey();
                if (!now.containsKey(wrong)
                        && (before.getValue() == Told.NOWHERE || tell(wrong, false, "is over") != Told.LATER)) {
                    told.remove(wrong);
                }
            }
            now.forEach((wrong, message) -> {
                if (!told.containsKey(wrong)) {
                    Told how = tell(wrong, true, message);
                    if (how != Told.LATER) {
                        told.put(wrong, how);
                    }
                }
            });
            begun = true;
        } finally {
            api.idle();
        }
    }

    private Told tell(Wrong wrong, boolean begins, String message) {
        if (failures >= MOST_FAILURES || !budget.spend()) {
            return Told.LATER;
        }
        try {
            Optional<VolumeClaim> claim = claims.of(wrong.handle());
            claim.ifPresent(it -> record(it, wrong, begins, message));
            refused = false;
            attempts.remove(wrong);
            return claim.isPresent() ? Told.ON_CLAIM : Told.NOWHERE;
        } catch (StorageException e) {
            failures++;
            complain(e.failure().code() + " " + e.failure().message());
            boolean last = attempts.merge(wrong, 1, Integer::sum) >= MOST_ATTEMPTS;
            if (last) {
                attempts.remove(wrong);
            }
            return last ? Told.NOWHERE : Told.LATER;
        }
    }

    /** Warns once until it works again; the log has what is wrong with each volume anyway. */
    private void complain(String reason) {
        if (!refused) {
            log.atWarn()
                    .addKeyValue("reason", reason)
                    .log("what is wrong with a volume could not be told by an event on its claim");
        }
        refused = true;
    }

    private void record(VolumeClaim claim, Wrong wrong, boolean begins, String message) {
        JsonObject about =
                EventRecord.about("v1", "PersistentVolumeClaim", claim.namespace(), claim.name(), claim.uid());
        String text = PodEvents.cut(wrong.reason().camelCase() + " on node " + here.node() + ": " + message);
        EventRecord event =
                new EventRecord("fairlead", about, begins, begins ? "VolumeAbnormal" : "VolumeRecovered", text);
        String name = name(claim, wrong, begins);
        List<String> path = List.of("api", "v1", "namespaces", claim.namespace(), "events");
        String what = "recording an event on the claim " + claim.namespace() + "/" + claim.name();
        JsonObject made = event.object(claim.namespace(), name, 1, wall.instant());
        switch (api.ask(ApiRequest.repeatable(Verb.POST, path, made, what), PodEvents.PATIENCE)) {
            case ApiAnswer.Done _ -> {}
            case ApiAnswer.Refused refusal
            when refusal.isThereAlready() -> {
                if (begun) { // else a former process has told it
                    renew(path, name, text, what);
                }
            }
            case ApiAnswer.Refused refusal -> throw ApiFailures.refused(what, refusal);
        }
    }

    /** Gives the event of what has begun or ended before the time of now. */
    private void renew(List<String> path, String name, String text, String what) {
        JsonObject change = new JsonObject();
        change.addProperty(
                "lastTimestamp", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        change.addProperty("message", text);
        List<String> own = new ArrayList<>(path);
        own.add(name);
        ApiRequest request = ApiRequest.repeatable(Verb.PATCH, own, change, what);
        if (api.ask(request, PodEvents.PATIENCE) instanceof ApiAnswer.Refused refusal && !refusal.isNotFound()) {
            throw ApiFailures.refused(what, refusal);
        }
    }

    private String name(VolumeClaim claim, Wrong wrong, boolean begins) {
        String about = String.join(
                "\n", here.node(), claim.uid(), wrong.handle(), wrong.reason().label(), Boolean.toString(begins));
        String hash = UUID.nameUUIDFromBytes(about.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        return claim.name().substring(0, Math.min(claim.name().length(), LONGEST_NAME)) + "." + hash;
    }
}
