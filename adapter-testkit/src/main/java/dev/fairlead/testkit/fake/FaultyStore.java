package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passes all calls on to a sound store; a subclass spoils one method. */
public class FaultyStore implements VolumeStore {
    public final InMemoryStorage storage;
    public final VolumeStore sound;

    public FaultyStore(InMemoryStorage storage) {
        this.storage = storage;
        this.sound = new InMemoryVolumeStore(storage);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return sound.media();
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return sound.plan(request, suggested);
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        return sound.existing(birth, work);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        return sound.create(birth, work);
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return sound.find(id, work);
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return sound.placeOf(id, work);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        return sound.expand(id, range, work);
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return sound.deletionCheck(id, policy, work);
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        sound.delete(id, policy, work);
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        sound.note(id, notes, work);
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return sound.list(page, work);
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return sound.room(parameters, work);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return sound.snapshots();
    }

    @Override
    public void close() {
        sound.close();
    }
}
