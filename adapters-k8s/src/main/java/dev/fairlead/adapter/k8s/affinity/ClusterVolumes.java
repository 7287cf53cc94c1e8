package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.VolumeWatch;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps what is needed of all PersistentVolumes of some drivers and of their attachments. The objects themselves are
 * not kept: who changes one reads it anew.
 */
public final class ClusterVolumes implements VolumeWatch {
    /** Stops changes, on a PersistentVolume or a StorageClass, if its value is {@value #PAUSED}. */
    static final String PAUSE = "fairlead.dev/affinity";

    static final String PAUSED = "paused";

    /** The mark by which LINSTOR's affinity controller leaves a PersistentVolume alone, if it is not empty. */
    private static final String PEERS_SKIP = "piraeus.io/skip-affinity-controller";

    private static final List<String> ATTACHMENTS = List.of("apis", "storage.k8s.io", "v1", "volumeattachments");

    private final ObjectFeed<Entry> volumes;
    private final ObjectFeed<Attachment> attachments;
    private final ClusterFacts facts;

    /**
     * @param drivers says which drivers' volumes are kept
     * @param changed is told the names of volumes and attachments that changed; the empty text if any may have
     */
    public ClusterVolumes(ApiClient api, Predicate<String> drivers, ObjectFeed.Times times, Consumer<String> changed) {
        this.volumes = new ObjectFeed<>(
                api,
                VolumeObject.KIND,
                object -> Optional.of(new VolumeObject(object))
                        .filter(volume -> drivers.test(volume.driver()))
                        .map(Entry::of),
                times,
                changed);
        this.attachments = new ObjectFeed<>(
                api,
                ATTACHMENTS,
                object -> Optional.of(Attachment.of(object))
                        .filter(attachment -> !attachment.volume().isEmpty()),
                times,
                changed);
        this.facts = new ClusterFacts(api, times.patience());
    }

    private record Entry(PlacedVolume placed, String uid, NodeAffinity affinity, String phase, boolean deleting) {
        static Entry of(VolumeObject volume) {
            PlacedVolume placed = new PlacedVolume(
                    volume.name(),
                    volume.driver(),
                    volume.handle(),
                    volume.attributes(),
                    volume.annotations(),
                    volume.storageClass(),
                    Optional.empty());
            return new Entry(placed, volume.uid(), volume.affinity(), volume.phase(), volume.isBeingDeleted());
        }
    }

    private record Attachment(String volume, String node, boolean inMotion) {
        static Attachment of(JsonObject object) {
            JsonObject spec = Json.child(object, "spec");
            boolean attached = Json.flag(Json.child(object, "status"), "attached");
            boolean going = Json.child(object, "metadata").has("deletionTimestamp");
            return new Attachment(
                    Json.text(Json.child(spec, "source"), "persistentVolumeName")
                            .orElse(""),
                    Json.text(spec, "nodeName").orElse(""),
                    !attached || going);
        }
    }

    @Override
    public void list() {
        volumes.list();
        attachments.list();
    }

    @Override
    public List<Runnable> watches() {
        return List.of(volumes::run, attachments::run);
    }

    /** Returns how many times everything was listed. */
    public long lists() {
        return volumes.lists() + attachments.lists();
    }

    @Override
    public List<KnownVolume> volumes() {
        Map<String, Entry> all = volumes.all().orElseThrow(ClusterVolumes::unknown);
        Map<String, List<Attachment>> byVolume = new HashMap<>();
        attachments
                .all()
                .orElseThrow(ClusterVolumes::unknown)
                .values()
                .forEach(one -> byVolume.computeIfAbsent(one.volume(), _ -> new ArrayList<>())
                        .add(one));
        return all.values().stream()
                .map(entry -> known(entry, byVolume.getOrDefault(entry.placed().name(), List.of())))
                .toList();
    }

    @Override
    public Optional<KnownVolume> volume(String name) {
        List<Attachment> its = attachments.all().orElseThrow(ClusterVolumes::unknown).values().stream()
                .filter(one -> one.volume().equals(name))
                .toList();
        return volumes.get(name).map(entry -> known(entry, its));
    }

    private KnownVolume known(Entry entry, List<Attachment> its) {
        PlacedVolume bare = entry.placed();
        Optional<ClusterFacts.ClassFacts> ofClass = bare.storageClass().flatMap(facts::storageClass);
        PlacedVolume placed = new PlacedVolume(
                bare.name(),
                bare.driver(),
                bare.handle(),
                bare.attributes(),
                bare.annotations(),
                bare.storageClass(),
                ofClass.flatMap(one -> one.parametersOf(bare.driver())));
        List<VolumeUse.Attached> attached = its.stream()
                .map(one -> new VolumeUse.Attached(one.node(), one.inMotion(), facts.labels(one.node())))
                .toList();
        Optional<String> pause = pause(bare.annotations())
                .or(() -> ofClass.filter(one -> PAUSED.equals(one.annotations().get(PAUSE)))
                        .map(_ -> "its StorageClass has the annotation " + PAUSE + "=" + PAUSED))
                .or(() -> bare.storageClass()
                        .filter(facts::isUnreadable)
                        .map(_ -> "its StorageClass, which may pause it, cannot be read"));
        return new KnownVolume(
                placed, entry.uid(), entry.affinity(), new VolumeUse(entry.deleting(), pause, entry.phase(), attached));
    }

    private static Optional<String> pause(Map<String, String> annotations) {
        if (PAUSED.equals(annotations.get(PAUSE))) {
            return Optional.of("it has the annotation " + PAUSE + "=" + PAUSED);
        }
        return annotations.getOrDefault(PEERS_SKIP, "").isEmpty()
                ? Optional.empty()
                : Optional.of("it has the annotation " + PEERS_SKIP);
    }

    private static StorageException unknown() {
        return new StorageException(
                new Failure.ClusterUnavailable("listing PersistentVolumes", "they have not been listed yet"));
    }
}
