package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.service.affinity.GuardedChanger;
import dev.fairlead.application.service.affinity.SavedVolumeReader;
import dev.fairlead.application.service.affinity.SavedVolumeRun;
import dev.fairlead.domain.affinity.VolumeUse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What another controller has kept, in a storage whose calls are cut like those to the API server. */
final class StagedSaved implements SavedVolumes {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Map<String, SavedVolume> kept = new HashMap<>();
    private ApiCalls calls;

    StagedSaved(ApiCalls calls) {
        this.calls = calls;
    }

    void keep(int index, String text) {
        String handle = "vol-" + index;
        kept.put(handle, new SavedVolume("org.example.csi", Set.of(handle), handle, "the property of " + handle, text));
    }

    List<SavedVolume> kept() {
        return List.copyOf(kept.values());
    }

    /** What a process does from its start: it looks for what others have left, and ends it. */
    List<ChangeOutcome> run(SimulatedApi api, ApiCalls cut) {
        return run(api, cut, new Nobody());
    }

    List<ChangeOutcome> run(SimulatedApi api, ApiCalls cut, OtherController other) {
        calls = cut;
        AffinityChanger writer = new VolumeChanger(
                cut,
                "storage",
                "org.example.csi"::equals,
                PATIENCE,
                PATIENCE,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                ReplacementListener.NONE);
        VolumeCatalog catalog = new Volumes(api);
        var run = new SavedVolumeRun(
                new SavedVolumeReader(
                        this, InstantSource.system(), Thread.ofVirtual().factory(), () -> {}),
                new SavedVolumeWriter(cut, "storage", PATIENCE),
                catalog,
                other,
                Duration.ZERO);
        AffinityChanger guarded = new GuardedChanger(writer, other, run, catalog, "org.example.csi"::equals);
        List<ChangeOutcome> outcomes = new ArrayList<>(guarded.resume(() -> true));
        outcomes.addAll(guarded.strays(catalog.volumes()));
        return outcomes;
    }

    @Override
    public List<SavedVolume> all() {
        return kept();
    }

    @Override
    public boolean remove(SavedVolume saved) {
        // A call to the storage is cut as one to the API server, which knows no such object.
        calls.ask(ApiRequest.get(List.of("storage"), "removing " + saved.place() + ", not yet"), PATIENCE);
        kept.remove(saved.resource());
        calls.ask(ApiRequest.get(List.of("storage"), "removing " + saved.place()), PATIENCE);
        return true;
    }

    @Override
    public void close() {}

    /** No other controller lives. */
    static final class Nobody implements OtherController {
        @Override
        public Optional<String> alive() {
            return Optional.empty();
        }

        @Override
        public Optional<String> shown() {
            return Optional.empty();
        }

        @Override
        public void wrote(String what) {}

        @Override
        public void announce(Optional<String> sign) {}
    }

    private record Volumes(SimulatedApi api) implements VolumeCatalog {
        @Override
        public List<KnownVolume> volumes() {
            return api.paths(SimulatedVolumes.KIND).stream()
                    .map(path -> known(new VolumeObject(api.get(path).orElseThrow())))
                    .toList();
        }

        @Override
        public Optional<KnownVolume> volume(String name) {
            return api.get(SimulatedVolumes.KIND + name).map(VolumeObject::new).map(Volumes::known);
        }

        private static KnownVolume known(VolumeObject volume) {
            PlacedVolume placed = new PlacedVolume(
                    volume.name(),
                    volume.driver(),
                    volume.handle(),
                    Map.of(),
                    volume.annotations(),
                    Optional.empty(),
                    Optional.empty());
            return new KnownVolume(
                    placed,
                    volume.uid(),
                    volume.affinity(),
                    new VolumeUse(volume.isBeingDeleted(), Optional.empty(), volume.phase(), List.of()));
        }
    }
}
