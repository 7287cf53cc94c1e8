package dev.fairlead.adapter.k8s.adoption;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.adoption.AdoptionRule.Verdict;
import dev.fairlead.adapter.k8s.affinity.VolumeChanger;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.application.port.out.adoption.Adoption;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Adopts the PersistentVolumes of kubevirt's former hostpath provisioner, or gives them back: each is replaced by one
 * of the same name, claim and folder whose source is another. Nothing is copied. A replacement that was begun by a
 * process that ended is finished, or withdrawn if nothing was deleted yet.
 */
final class HostpathAdoption implements Adoption {
    private final AdoptionRule rule;
    private final Supplier<List<JsonObject>> volumes;
    private final VolumeChanger writer;

    /**
     * @param back whether adopted volumes are given back
     * @param volumes reads all PersistentVolumes
     * @param namespace the namespace of the ConfigMaps in which intents are kept
     */
    HostpathAdoption(
            AdoptionTarget target,
            boolean back,
            Supplier<List<JsonObject>> volumes,
            ApiCalls api,
            String namespace,
            Duration patience,
            Duration perVolume,
            Backoff backoff) {
        this.rule = back ? new AdoptionRule.HostpathSource(target) : new AdoptionRule.DriverSource(target);
        this.volumes = volumes;
        AdoptionRule adopting = new AdoptionRule.DriverSource(target);
        AdoptionRule givingBack = new AdoptionRule.HostpathSource(target);
        this.writer = VolumeChanger.byRule(
                api,
                namespace,
                volume -> adopting.becomes(volume).or(() -> givingBack.becomes(volume)),
                patience,
                perVolume,
                backoff);
    }

    @Override
    public List<Entry> plan() {
        List<Entry> entries = new ArrayList<>();
        for (JsonObject volume : volumes.get()) {
            JsonObject metadata = Json.child(volume, "metadata");
            JsonObject claim = Json.child(Json.child(volume, "spec"), "claimRef");
            String name = Json.text(metadata, "name").orElse("");
            String uid = Json.text(metadata, "uid").orElse("");
            String who = Json.text(claim, "namespace").orElse("") + "/"
                    + Json.text(claim, "name").orElse("");
            switch (rule.of(volume)) {
                case Verdict.Change(JsonObject _, String from, String to) ->
                    entries.add(new Entry(name, uid, who, from, Optional.of(to), ""));
                case Verdict.Kept(String why) -> entries.add(new Entry(name, uid, who, "", Optional.empty(), why));
                case Verdict.Other() -> {}
            }
        }
        entries.sort(Comparator.comparing(Entry::volume));
        return List.copyOf(entries);
    }

    @Override
    public void act(Consumer<ChangeOutcome> told) {
        List<ChangeOutcome> outcomes = new ArrayList<>();
        Consumer<ChangeOutcome> kept = told.andThen(outcomes::add);
        writer.resume(() -> true).forEach(kept);
        for (Entry entry : plan()) {
            if (entry.to().isPresent()) {
                kept.accept(writer.replace(entry.volume(), entry.uid(), rule::becomes));
            }
        }
        // A process that only runs once has no next round that would see the claims bound for which this was too short.
        if (outcomes.stream().anyMatch(outcome -> outcome.result() == ChangeOutcome.Result.UNFINISHED)) {
            writer.resume(() -> true).forEach(told);
        }
    }
}
