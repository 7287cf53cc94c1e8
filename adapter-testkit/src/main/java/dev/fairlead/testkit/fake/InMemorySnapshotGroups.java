package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptSnapshot;
import dev.fairlead.testkit.fake.InMemoryStorage.KeptVolume;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps groups of snapshots in an {@link InMemoryStorage}, each group in one step. */
final class InMemorySnapshotGroups implements SnapshotGroups {
    private final InMemoryStorage storage;

    InMemorySnapshotGroups(InMemoryStorage storage) {
        this.storage = storage;
    }

    private static NativeId idOf(CsiName name, int maxIdBytes) {
        String plain = name.value();
        return NativeId.isValid(plain) && plain.length() <= maxIdBytes
                ? new NativeId(plain)
                : new NativeId("g" + digest(plain));
    }

    private static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }

    @Override
    public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
        NativeId id = idOf(request.name(), maxIdBytes);
        Optional<StoredGroup> known = find(id, work);
        if (known.isPresent()) {
            return known.get();
        }
        List<KeptSnapshot> all = new ArrayList<>();
        Instant instant = storage.clock.instant();
        for (NativeId source : request.sources()) {
            KeptVolume volume = storage.volumes().get(source);
            if (volume == null) {
                throw new StorageException(new Failure.VolumeNotFound(source.value()));
            }
            var snapshot = new StoredSnapshot(
                    new NativeId("g" + digest(id + " of " + source)),
                    Optional.of(request.name()),
                    source,
                    volume.volume().capacity().orElse(Capacity.ZERO),
                    instant,
                    Optional.of(id));
            all.add(new KeptSnapshot(snapshot, volume.files()));
        }
        work.effect(new Effect("snapshot", id.value()), () -> storage.keep(id, GroupShape.of(request), all));
        return find(id, work).orElseThrow(() -> untrue("snapshot", id));
    }

    @Override
    public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
        return find(idOf(name, maxIdBytes), work);
    }

    @Override
    public Optional<StoredGroup> find(NativeId id, Work work) {
        storage.called();
        List<StoredSnapshot> members = storage.snapshots().values().stream()
                .map(KeptSnapshot::snapshot)
                .filter(snapshot -> snapshot.group().equals(Optional.of(id)))
                .toList();
        return members.isEmpty()
                ? Optional.empty()
                : storage.shape(id).map(shape -> new StoredGroup(id, shape, members));
    }

    @Override
    public void delete(NativeId id, Work work) {
        for (StoredSnapshot member : find(id, work).map(StoredGroup::snapshots).orElse(List.of())) {
            work.effect(new Effect("remove", member.id().value()), () -> storage.removeSnapshot(member.id()));
        }
        if (find(id, work).isPresent()) {
            throw untrue("remove", id);
        }
    }

    private StorageException untrue(String effect, NativeId id) {
        return new StorageException(
                new Failure.Unintelligible(storage.name, effect + " of " + id + " was done, and is not there"));
    }
}
