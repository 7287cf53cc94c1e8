package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptSnapshot;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptVolume;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Keeps snapshots in an {@link InMemoryStorage}, with ids made of their volume's id and their own name. */
final class InMemorySnapshotStore implements SnapshotStore {
    private final InMemoryStorage storage;

    InMemorySnapshotStore(InMemoryStorage storage) {
        this.storage = storage;
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        storage.called();
        NativeId id = idOf(request, maxIdBytes);
        Optional<StoredSnapshot> known = findByName(request.name(), work).or(() -> find(id, work));
        if (known.isPresent()) {
            return known.get();
        }
        KeptVolume source = storage.volumes().get(request.source());
        if (source == null) {
            throw new StorageException(
                    new Failure.VolumeNotFound(request.source().value()));
        }
        StoredSnapshot snapshot = new StoredSnapshot(
                id,
                Optional.of(request.name()),
                request.source(),
                source.volume().capacity().orElse(Capacity.ZERO),
                storage.clock.instant());
        work.effect(new Effect("snapshot", id.value()), () -> storage.keep(new KeptSnapshot(snapshot, source.files())));
        return find(id, work).orElseThrow(() -> untrue("snapshot", id));
    }

    private static NativeId idOf(SnapshotRequest request, int maxIdBytes) {
        String plain = request.source() + "@" + request.name();
        if (NativeId.isValid(plain) && plain.length() <= maxIdBytes) {
            return new NativeId(plain);
        }
        return new NativeId(UUID.nameUUIDFromBytes(plain.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", ""));
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        storage.called();
        return Optional.ofNullable(storage.snapshots().get(id)).map(KeptSnapshot::snapshot);
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        storage.called();
        return storage.snapshots().values().stream()
                .map(KeptSnapshot::snapshot)
                .filter(snapshot -> snapshot.group().isEmpty())
                .filter(snapshot -> snapshot.name().equals(Optional.of(name)))
                .findFirst();
    }

    @Override
    public void delete(NativeId id, Work work) {
        Optional<StoredSnapshot> there = find(id, work);
        if (there.isEmpty()) {
            return;
        }
        there.get().group().ifPresent(group -> {
            throw new StorageException(new Failure.GroupMember(id.value(), group.value()));
        });
        work.effect(new Effect("remove", id.value()), () -> storage.removeSnapshot(id));
        if (find(id, work).isPresent()) {
            throw untrue("remove", id);
        }
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        storage.called();
        var asked = new TreeMap<>(storage.snapshots());
        source.ifPresent(
                id -> asked.values().removeIf(kept -> !kept.snapshot().source().equals(id)));
        return InMemoryPages.of(asked, page, KeptSnapshot::snapshot);
    }

    @Override
    public Optional<SnapshotGroups> groups() {
        return storage.rigid ? Optional.empty() : Optional.of(new InMemorySnapshotGroups(storage));
    }

    private StorageException untrue(String effect, NativeId id) {
        return new StorageException(
                new Failure.Unintelligible(storage.name, effect + " of " + id + " was done, and is not there"));
    }
}
