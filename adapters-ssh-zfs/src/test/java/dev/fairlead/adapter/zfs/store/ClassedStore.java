package dev.fairlead.adapter.zfs.store;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeModification;
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
import java.util.TreeMap;

/** A store as those see it who use one class: it adds the parameters of the class to every request. */
record ClassedStore(VolumeStore store, Map<String, String> parameters) implements VolumeStore {
    /** The request as it comes from the class. */
    static CreateRequest with(CreateRequest request, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(request.parameters());
        all.putAll(more);
        return new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), all, request.content(), request.mutable());
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return store.media();
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return store.plan(with(request, parameters), suggested);
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        return store.existing(birth, work);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        return store.create(birth, work);
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return store.find(id, work);
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return store.placeOf(id, work);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        return store.expand(id, range, work);
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return store.deletionCheck(id, policy, work);
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        store.delete(id, policy, work);
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        store.note(id, notes, work);
    }

    @Override
    public boolean change(NativeId id, NoteChange change, Work work) {
        return store.change(id, change, work);
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return store.list(page, work);
    }

    @Override
    public Room room(Map<String, String> more, Work work) {
        Map<String, String> all = new TreeMap<>(more);
        all.putAll(parameters);
        return store.room(all, work);
    }

    @Override
    public boolean advisorySize() {
        return store.advisorySize();
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return store.snapshots();
    }

    @Override
    public Optional<VolumeModification> modification() {
        return store.modification();
    }

    @Override
    public boolean busy() {
        return store.busy();
    }

    @Override
    public void close() {
        store.close();
    }
}
