package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.NoteLook;
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

/** Passes every call on to another store; a subclass changes what it is about. */
public class ForwardingStore implements VolumeStore {
    private final VolumeStore store;

    protected ForwardingStore(VolumeStore store) {
        this.store = store;
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return store.media();
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return store.plan(request, suggested);
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
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return store.list(page, work);
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return store.room(parameters, work);
    }

    @Override
    public boolean isNodesOwn() {
        return store.isNodesOwn();
    }

    @Override
    public boolean isForOneNode(CreateRequest request) {
        return store.isForOneNode(request);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return store.snapshots();
    }

    @Override
    public Optional<StoredVolume> findToMake(NativeId id, Work work) {
        return store.findToMake(id, work);
    }

    @Override
    public boolean change(NativeId id, NoteChange change, Work work) {
        return store.change(id, change, work);
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return store.advisorySize(id);
    }

    @Override
    public Optional<VolumeModification> modification() {
        return store.modification();
    }

    @Override
    public Optional<StoredVolume> noted(NativeId id, Map<String, String> notes, Work work) {
        return store.noted(id, notes, work);
    }

    @Override
    public Optional<ContentTransfer> transfer() {
        return store.transfer();
    }

    @Override
    public Optional<ContentProbe> contentProbe() {
        return store.contentProbe();
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return store.accessReview();
    }

    @Override
    public NoteLook noteLook() {
        return store.noteLook();
    }

    @Override
    public VolumeStore fencing() {
        return store.fencing();
    }

    @Override
    public boolean busy() {
        return store.busy();
    }

    @Override
    public boolean isMarkedAsOwn() {
        return store.isMarkedAsOwn();
    }

    @Override
    public void close() {
        store.close();
    }
}
