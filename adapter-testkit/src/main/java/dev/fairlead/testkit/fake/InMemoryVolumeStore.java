package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptVolume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps volumes in an {@link InMemoryStorage}; another instance over the same storage sees them too. */
public class InMemoryVolumeStore implements VolumeStore {
    /** A parameter that this store does not know and refuses, whatever its value. */
    public static final String REFUSED_PARAMETER = "refused";

    private final InMemoryStorage storage;
    private final InMemorySnapshotStore snapshots;

    public InMemoryVolumeStore(InMemoryStorage storage) {
        this.storage = storage;
        this.snapshots = new InMemorySnapshotStore(storage);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return storage.media;
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        if (request.parameters().containsKey(REFUSED_PARAMETER)) {
            throw new StorageException(
                    new Failure.Unsupported("parameter " + REFUSED_PARAMETER + " is unknown", "remove it"));
        }
        modification().ifPresent(role -> role.check(request.mutable()));
        return new Birth(
                suggested,
                request,
                request.capacity().choose(),
                mediumFor(request.capabilities(), path(suggested)),
                Map.of());
    }

    private String path(NativeId id) {
        return storage.folder + "/" + id;
    }

    private VolumeMedium mediumFor(List<VolumeCapability> capabilities, String path) {
        boolean raw = capabilities.stream().anyMatch(c -> c.access() instanceof VolumeCapability.Block);
        if (!raw && storage.media.contains(VolumeMedium.Kind.FILESYSTEM)) {
            return new VolumeMedium.Filesystem(path);
        }
        if (storage.media.contains(VolumeMedium.Kind.BLOCK_DEVICE)) {
            return new VolumeMedium.BlockDevice(path);
        }
        throw new StorageException(
                new Failure.Unsupported("this storage has no block devices", "ask for a file system"));
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        storage.called();
        SortedMap<NativeId, KeptVolume> all = storage.volumes();
        return Optional.ofNullable(all.get(birth.id()))
                .map(KeptVolume::volume)
                .or(() -> all.values().stream()
                        .map(KeptVolume::volume)
                        .filter(volume ->
                                volume.name().equals(Optional.of(birth.request().name())))
                        .findFirst());
    }

    @Override
    public Creation create(Birth birth, Work work) {
        Optional<StoredVolume> known = existing(birth, work);
        if (known.isPresent()) {
            return new Creation(known.get(), false);
        }
        SortedMap<String, String> files = filesOf(birth.request().content());
        if (storage.available().isLessThan(birth.capacity())) {
            throw new StorageException(new Failure.OutOfSpace(
                    storage.name, storage.available() + " are left, " + birth.capacity() + " are wanted"));
        }
        StoredVolume volume = new StoredVolume(
                birth.id(),
                Optional.of(birth.request().name()),
                Optional.of(birth.capacity()),
                birth.medium(),
                birth.request().content(),
                birth.notes(),
                placement(birth.request()));
        work.effect(new Effect("begin", birth.id().value()), () -> {
            storage.begin(new KeptVolume(volume, files));
            storage.modify(birth.id(), birth.request().mutable());
        });
        work.effect(new Effect("finish", birth.id().value()), () -> storage.finish(birth.id()));
        StoredVolume made = find(birth.id(), work).orElseThrow(() -> untrue("create", birth.id()));
        return new Creation(made, true);
    }

    /** Decides where a volume is kept; empty: wherever the storage is. */
    Optional<Placement> placement(CreateRequest request) {
        return Optional.empty();
    }

    private SortedMap<String, String> filesOf(Content content) {
        return switch (content) {
            case Content.Empty() -> new TreeMap<>();
            case Content.OfSnapshot(NativeId id) ->
                Optional.ofNullable(storage.snapshots().get(id))
                        .orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(id.value())))
                        .files();
            case Content.OfVolume(NativeId id) ->
                Optional.ofNullable(storage.volumes().get(id))
                        .orElseThrow(() -> notFound(id))
                        .files();
            case Content.Transferred _ ->
                throw new IllegalArgumentException("content of another connection, for a store that takes none in");
        };
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return Optional.of(
                storage.media.contains(VolumeMedium.Kind.FILESYSTEM)
                        ? new VolumeMedium.Filesystem(path(id))
                        : new VolumeMedium.BlockDevice(path(id)));
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        storage.called();
        return Optional.ofNullable(storage.volumes().get(id)).map(KeptVolume::volume);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        StoredVolume volume = find(id, work).orElseThrow(() -> notFound(id));
        Capacity before = volume.capacity().orElse(Capacity.ZERO);
        if (!before.isLessThan(atLeast)) {
            return volume;
        }
        if (storage.available().bytes() < atLeast.bytes() - before.bytes()) {
            throw new StorageException(new Failure.OutOfSpace(storage.name, storage.available() + " are left"));
        }
        StoredVolume grown = volume.withCapacity(Optional.of(atLeast));
        work.effect(new Effect("resize", id.value()), () -> storage.replace(grown));
        return find(id, work).filter(grown::equals).orElseThrow(() -> untrue("resize", id));
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return new DeletionCheck(find(id, work), policy == OnDependents.REFUSE ? dependents(id) : List.of());
    }

    private List<Dependent> dependents(NativeId id) {
        if (!storage.snapshotsDepend) {
            return List.of();
        }
        return storage.snapshots().values().stream()
                .filter(kept -> kept.snapshot().source().equals(id))
                .map(kept -> new Dependent("snapshot " + kept.snapshot().id()))
                .toList();
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        DeletionCheck deletionCheck = deletionCheck(id, policy, work);
        deletionCheck.refuseIfBarred(id.value());
        if (deletionCheck.volume().isEmpty() && !storage.isUnfinished(id)) {
            return;
        }
        work.effect(new Effect("remove", id.value()), () -> storage.removeVolume(id));
        if (find(id, work).isPresent() || storage.isUnfinished(id)) {
            throw untrue("remove", id);
        }
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        StoredVolume volume = find(id, work).orElseThrow(() -> notFound(id));
        Map<String, String> all = new HashMap<>(volume.notes());
        all.putAll(notes);
        if (all.equals(volume.notes())) {
            return;
        }
        StoredVolume noted = volume.withNotes(all);
        work.effect(new Effect("note", id.value()), () -> storage.replace(noted));
        if (!find(id, work).equals(Optional.of(noted))) {
            throw untrue("note", id);
        }
    }

    @Override
    public boolean change(NativeId id, NoteChange change, Work work) {
        storage.called();
        var had = new AtomicBoolean();
        work.effect(new Effect("change note", id.value()), () -> had.set(storage.change(id, change)));
        if (had.get()
                && !find(id, work)
                        .map(it -> it.notes().containsKey(change.key()))
                        .orElse(false)) {
            throw untrue("note", id);
        }
        return had.get();
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        storage.called();
        return InMemoryPages.of(storage.volumes(), page, KeptVolume::volume);
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        storage.called();
        return new Room(storage.available(), Optional.empty());
    }

    @Override
    public boolean isNodesOwn() {
        return storage.nodesOwn;
    }

    @Override
    public boolean isForOneNode(CreateRequest request) {
        return storage.nodesOwn;
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public Optional<VolumeModification> modification() {
        return storage.rigid ? Optional.empty() : Optional.of(new InMemoryModification(storage));
    }

    @Override
    public Optional<ContentProbe> contentProbe() {
        return storage.rigid || !storage.media.contains(VolumeMedium.Kind.BLOCK_DEVICE)
                ? Optional.empty()
                : Optional.of(new InMemoryContentProbe(storage));
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    private StorageException untrue(String effect, NativeId id) {
        return new StorageException(
                new Failure.Unintelligible(storage.name, effect + " of " + id + " was done, and is not there"));
    }
}
