package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.adapter.k8s.event.Budget;
import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.WaitReason;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records {@code v1} events on PersistentVolumes and their claims. For use by one thread. */
public final class AffinityEvents implements AffinityAnnouncer {
    private static final Logger log = LoggerFactory.getLogger(AffinityEvents.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LONGEST = 900;
    private static final int MOST_REMEMBERED = 20_000;

    private final ApiCalls api;
    private final VolumeCalls volumes;
    private final Budget budget;
    private final InstantSource wall;
    private final Map<String, String> told = new HashMap<>();

    /** @param budget the events that may be recorded */
    public AffinityEvents(ApiCalls api, Budget budget, InstantSource wall) {
        this.api = api;
        this.volumes = new VolumeCalls(api, PATIENCE);
        this.budget = budget;
        this.wall = wall;
    }

    private record Told(String reason, boolean warning, String text) {}

    @Override
    public void ended(ChangeOutcome outcome) {
        Told event = switch (outcome.result()) {
            case IN_PLACE, REPLACED -> new Told("VolumeAffinityChanged", false, outcome.text());
            case RETAINED -> new Told("VolumeRetained", true, outcome.text());
            case BLOCKED -> new Told("VolumeAffinityBlocked", true, outcome.text());
            case UNFINISHED -> new Told("VolumeAffinityUnfinished", true, outcome.text());
            case ABANDONED -> new Told("VolumeAffinityUnchanged", false, outcome.text());
        };
        boolean once =
                outcome.result() == ChangeOutcome.Result.UNFINISHED || outcome.result() == ChangeOutcome.Result.BLOCKED;
        if (!once || isNew(outcome.volume(), event.reason())) {
            tell(outcome.volume(), event);
        }
    }

    @Override
    public void waits(AffinityChange change, ChangeDelay delay) {
        boolean worth = delay.reason() != WaitReason.SETTLING && delay.reason() != WaitReason.LIMIT;
        if (worth && isNew(change.volume(), delay.reason().word())) {
            String text = "the data is now at " + change.to() + "; the affinity is not changed yet: " + delay.text();
            tell(change.volume(), new Told("VolumeAffinityWaits", delay.reason() == WaitReason.BREAKER, text));
        }
    }

    private boolean isNew(String volume, String what) {
        if (told.size() > MOST_REMEMBERED) {
            told.clear();
        }
        return !what.equals(told.put(volume, what));
    }

    private void tell(String name, Told event) {
        if (!budget.spend()) {
            return;
        }
        try {
            Optional<VolumeObject> volume = volumes.read(name);
            if (volume.isPresent()) {
                record(
                        "default",
                        reference("PersistentVolume", name, volume.get().uid()),
                        event);
                volume.get().claim().ifPresent(claim -> claimed(claim, event));
            }
        } catch (StorageException e) {
            log.atDebug().addKeyValue("reason", e.failure().message()).log("an event was not recorded");
        }
    }

    private void claimed(ClaimReference claim, Told event) {
        JsonObject about = reference("PersistentVolumeClaim", claim.name(), claim.uid());
        about.addProperty("namespace", claim.namespace());
        record(claim.namespace(), about, event);
    }

    private void record(String namespace, JsonObject about, Told told) {
        String now = wall.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", "fairlead-affinity." + UUID.randomUUID());
        metadata.addProperty("namespace", namespace);
        JsonObject source = new JsonObject();
        source.addProperty("component", "fairlead-affinity");
        JsonObject event = new JsonObject();
        event.addProperty("apiVersion", "v1");
        event.addProperty("kind", "Event");
        event.add("metadata", metadata);
        event.add("involvedObject", about);
        event.add("source", source);
        event.addProperty("type", told.warning() ? "Warning" : "Normal");
        event.addProperty("reason", told.reason());
        event.addProperty("message", Excerpt.of(told.text(), LONGEST));
        event.addProperty("firstTimestamp", now);
        event.addProperty("lastTimestamp", now);
        event.addProperty("count", 1);
        List<String> path = List.of("api", "v1", "namespaces", namespace, "events");
        api.ask(ApiRequest.once(Verb.POST, path, event, "recording an event"), PATIENCE);
    }

    private static JsonObject reference(String kind, String name, String uid) {
        JsonObject about = new JsonObject();
        about.addProperty("apiVersion", "v1");
        about.addProperty("kind", kind);
        about.addProperty("name", name);
        about.addProperty("uid", uid);
        return about;
    }
}
