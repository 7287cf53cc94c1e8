package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.adapter.k8s.api.SharedValues;
import dev.fairlead.adapter.k8s.takeover.OtherFields;
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
    private volatile VolumeAttachments byVolume = new VolumeAttachments(-1, Map.of());
    private final Shared shared = new Shared(
            new SharedValues<>(),
            new SharedValues<>(),
            new SharedValues<>(),
            new SharedValues<>(),
            new SharedValues<>());

    /**
     * @param drivers says which drivers' volumes are kept; those with the mark of a replacement are in any case
     * @param changed is told the names of volumes and attachments that changed; the empty text if any may have
     */
    public ClusterVolumes(ApiClient api, Predicate<String> drivers, ObjectFeed.Times times, Consumer<String> changed) {
        this(api, drivers, times, changed, new OtherFields());
    }

    /** @param fields is shown each PersistentVolume of the drivers */
    public ClusterVolumes(
            ApiClient api,
            Predicate<String> drivers,
            ObjectFeed.Times times,
            Consumer<String> changed,
            OtherFields fields) {
        this.volumes = new ObjectFeed<>(
                api,
                VolumeObject.KIND,
                object -> Optional.of(new VolumeObject(object))
                        .filter(volume -> drivers.test(volume.driver())
                                || volume.annotations().containsKey(ReplacementMark.INTENT))
                        .map(volume -> {
                            fields.see(object);
                            return Entry.of(volume, shared);
                        }),
                times,
                name -> {
                    if (name.isEmpty()) {
                        fields.listed();
                    }
                    changed.accept(name);
                });
        this.attachments = new ObjectFeed<>(
                api,
                ATTACHMENTS,
                object -> Optional.of(Attachment.of(object))
                        .filter(attachment -> !attachment.volume().isEmpty()),
                times,
                changed);
        this.facts = new ClusterFacts(api, times.patience());
    }

    /** Holds what many volumes have in common; annotations that all differ leave the others alone. */
    private record Shared(
            SharedValues<String> texts,
            SharedValues<Map<String, String>> attributes,
            SharedValues<Map<String, String>> annotations,
            SharedValues<NodeAffinity> affinities,
            SharedValues<Optional<String>> classes) {}

    /** Holds what is kept of a PersistentVolume, and how it was shown last. */
    private static final class Entry {
        private final String uid;
        private final NodeAffinity affinity;
        private final String phase;
        private final boolean deleting;
        private volatile PlacedVolume placed;

        private Entry(PlacedVolume placed, String uid, NodeAffinity affinity, String phase, boolean deleting) {
            this.placed = placed;
            this.uid = uid;
            this.affinity = affinity;
            this.phase = phase;
            this.deleting = deleting;
        }

        static Entry of(VolumeObject volume, Shared shared) {
            PlacedVolume placed = new PlacedVolume(
                    volume.name(),
                    shared.texts().one(volume.driver()),
                    volume.handle(),
                    shared.attributes().one(Map.copyOf(volume.attributes())),
                    shared.annotations().one(Map.copyOf(volume.annotations())),
                    shared.classes().one(volume.storageClass()),
                    Optional.empty());
            return new Entry(
                    placed,
                    volume.uid(),
                    shared.affinities().one(volume.affinity()),
                    shared.texts().one(volume.phase()),
                    volume.isBeingDeleted());
        }

        /** Returns the volume with the parameters of its class: the same one each time, as long as those are. */
        PlacedVolume with(Optional<Map<String, String>> parameters, Shared shared) {
            PlacedVolume last = placed;
            if (!last.classParameters().equals(parameters)) {
                last = new PlacedVolume(
                        last.name(),
                        last.driver(),
                        last.handle(),
                        last.attributes(),
                        last.annotations(),
                        last.storageClass(),
                        parameters.map(shared.attributes()::one));
                placed = last;
            }
            return last;
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

    /**
     * Holds the attachments of each volume.
     *
     * @param changes the number of changes of attachments before it was made
     */
    private record VolumeAttachments(long changes, Map<String, List<Attachment>> attachments) {
        List<Attachment> of(String volume) {
            return attachments.getOrDefault(volume, List.of());
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
        VolumeAttachments its = byVolume();
        return all.values().stream()
                .map(entry -> known(entry, its.of(entry.placed.name())))
                .toList();
    }

    @Override
    public Optional<KnownVolume> volume(String name) {
        VolumeAttachments its = byVolume();
        return volumes.get(name).map(entry -> known(entry, its.of(name)));
    }

    /** Returns the attachments as they are; of thousands nothing is copied unless one of them has changed. */
    private VolumeAttachments byVolume() {
        if (!attachments.isKnown()) throw unknown();
        VolumeAttachments last = byVolume;
        long changes = attachments.changes();
        if (last.changes() == changes) return last;
        Map<String, List<Attachment>> now = new HashMap<>();
        attachments
                .all()
                .orElseThrow(ClusterVolumes::unknown)
                .values()
                .forEach(one -> now.computeIfAbsent(one.volume(), _ -> new ArrayList<>(1))
                        .add(one));
        VolumeAttachments made = new VolumeAttachments(changes, now);
        byVolume = made;
        return made;
    }

    private KnownVolume known(Entry entry, List<Attachment> its) {
        PlacedVolume bare = entry.placed;
        Optional<ClusterFacts.ClassFacts> ofClass = bare.storageClass().flatMap(facts::storageClass);
        PlacedVolume placed = entry.with(ofClass.flatMap(one -> one.parametersOf(bare.driver())), shared);
        List<VolumeUse.Attached> attached = its.stream()
                .map(one -> new VolumeUse.Attached(one.node(), one.inMotion(), () -> facts.labels(one.node())))
                .toList();
        Optional<String> pause = pause(bare.annotations())
                .or(() -> ofClass.filter(one -> PAUSED.equals(one.annotations().get(PAUSE)))
                        .map(_ -> "its StorageClass has the annotation " + PAUSE + "=" + PAUSED))
                .or(() -> bare.storageClass()
                        .filter(facts::isUnreadable)
                        .map(_ -> "its StorageClass, which may pause it, cannot be read"));
        return new KnownVolume(
                placed, entry.uid, entry.affinity, new VolumeUse(entry.deleting, pause, entry.phase, attached));
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
