package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.create.DatasetCreation;
import dev.fairlead.adapter.zfs.store.create.Planning;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.LongNoteLookup;
import dev.fairlead.adapter.zfs.store.volume.NoteSwap;
import dev.fairlead.adapter.zfs.store.volume.VolumeNameLookup;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.settings.ZfsSettings;
import dev.fairlead.zfs.volume.ParentChoice;
import dev.fairlead.zfs.volume.Sizing;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps volumes as the datasets directly below a parent, or one of several: filesystems, or block volumes. All that is
 * known of a volume is in its user properties, so the pool holds the whole state.
 */
final class ZfsVolumeStore implements VolumeStore {
    private final ZfsConnection connection;
    private final ZfsHost host;
    private final DatasetLayout layout;
    private final ZfsSettings settings;
    private final VolumeMedium.Kind kind;
    private final ForeignSnapshots foreign;
    private final Planning planning;
    private final DatasetPlaces lookup;
    private final LongNoteLookup longNotes;
    private final FormerPlaces former;
    private final Optional<VolumeNameLookup> names;
    private final DatasetCreation creation;
    private final DatasetRemoval removal;
    private final ZfsSnapshotStore snapshots;
    private final ZfsModification modification;
    private final ZfsTransfer transfer;

    ZfsVolumeStore(ZfsConnection connection, VolumeMedium.Kind kind, ForeignSnapshots foreign) {
        this.connection = connection;
        this.host = connection.host();
        this.layout = connection.layout();
        this.settings = connection.settings();
        this.kind = kind;
        this.foreign = foreign;
        this.planning = new Planning(connection, new BirthProperties(connection), kind);
        this.lookup = new DatasetPlaces(layout, host::rejected);
        this.longNotes = new LongNoteLookup(host);
        this.former = new FormerPlaces(connection, kind);
        this.names = VolumeNameLookup.of(host, layout);
        this.removal = new DatasetRemoval(host, type(kind), layout.parents().all(), foreign);
        this.creation = new DatasetCreation(connection, removal);
        this.snapshots = new ZfsSnapshotStore(host, layout, type(kind), settings, foreign);
        this.modification = new ZfsModification(connection, kind);
        this.transfer = new ZfsTransfer(connection, kind, removal);
    }

    private static DatasetType type(VolumeMedium.Kind kind) {
        return kind == VolumeMedium.Kind.BLOCK_DEVICE ? DatasetType.VOLUME : DatasetType.FILESYSTEM;
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return Set.of(kind);
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return planning.plan(request, suggested);
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        return names.isPresent()
                ? names.get().existing(birth, this::isFinished, work)
                : look(birth.id(), host.making(), work).filter(this::isFinished).map(found -> found.volume(birth.id()));
    }

    @Override
    public Creation create(Birth birth, Work work) {
        DatasetName name = layout.volume(birth.id())
                .orElseThrow(() -> new StorageException(new Failure.InvalidRequest("name", "gives no id")));
        Optional<StoredVolume> elsewhere = names.flatMap(it -> it.elsewhere(birth, work));
        if (elsewhere.isPresent()) {
            return new Creation(elsewhere.get(), false);
        }
        DatasetCreation.Made made = creation.make(birth, name, work);
        return new Creation(made.volume().volume(birth.id()), made.fresh(), made.inEffect());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return look(id, host, work).map(found -> found.volume(id));
    }

    @Override
    public Optional<StoredVolume> findToMake(NativeId id, Work work) {
        return look(id, host.making(), work).map(found -> found.volume(id));
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return lookup.volume(id).flatMap(name -> former.of(name, work));
    }

    /** Returns a volume that is ours, of this store's kind, and complete; empty for any other. */
    private Optional<VolumeProperties> look(NativeId id, ZfsHost asked, Work work) {
        return lookup.volume(id)
                .flatMap(name -> asked.get(name.value(), VolumeProperties.ASKED, work)
                        .map(rows -> new VolumeProperties(name, longNotes.whole(name, rows, work))))
                .filter(this::isVolume);
    }

    private boolean isVolume(VolumeProperties properties) {
        return properties.isManaged()
                && properties.isWhole()
                && properties.isBlockDevice() == (kind == VolumeMedium.Kind.BLOCK_DEVICE);
    }

    /**
     * Returns whether it is such a volume, complete for democratic-csi too; an unfinished one is finished before it is
     * used.
     */
    private boolean isFinished(VolumeProperties properties) {
        return isVolume(properties) && !properties.isLeftByPeer();
    }

    private VolumeProperties require(NativeId id, Work work) {
        return look(id, host, work).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        VolumeProperties now = require(id, work);
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        if (!now.capacity().orElse(Capacity.ZERO).isLessThan(atLeast)) {
            return now.volume(id);
        }
        return change(
                id,
                growing(now, layout.volume(id).orElseThrow(), grown(now, new Sizing(range), atLeast)),
                "zfs set size",
                work,
                found -> found.capacity()
                        .filter(size -> !size.isLessThan(atLeast))
                        .isPresent());
    }

    private Map<String, String> grown(VolumeProperties now, Sizing sizing, Capacity atLeast) {
        if (now.isBlockDevice()) {
            Capacity size = sizing.inBlocks(now.blockSize().orElse(BlockSize.DEFAULT), atLeast);
            return Map.of("volsize", Long.toString(size.bytes()));
        }
        String bytes = Long.toString(sizing.exactly(atLeast).bytes());
        Map<String, String> all = new LinkedHashMap<>();
        // A quota that the volume was made with still limits its users, whatever the connection says now.
        if (settings.quota() || now.hasQuota()) {
            all.put("refquota", bytes);
        } else {
            all.putAll(now.noting(Map.of(VolumeProperties.SIZE, bytes)));
        }
        if (settings.reservation()) {
            all.put("refreservation", bytes);
        }
        return all;
    }

    /**
     * Returns steps that grow a volume. Of a size and its reservation ZFS may set one and refuse the other, so a
     * refused change is undone: the repeated call must not find the new size.
     */
    private Steps growing(VolumeProperties now, DatasetName name, Map<String, String> grown) {
        List<String> set = host.zfs().set(name.value(), grown);
        Map<String, String> before = new LinkedHashMap<>();
        grown.keySet().stream()
                .filter(key -> !now.printed(key).equals("-"))
                .forEach(key -> before.put(key, now.printed(key)));
        return grown.size() == 1 || before.isEmpty()
                ? new Steps().then(set)
                : new Steps().undoing(set, List.of(host.zfs().set(name.value(), before)));
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        if (notes.isEmpty()) {
            return;
        }
        Map<String, String> news = require(id, work).noting(notes);
        if (!news.isEmpty()) {
            change(
                    id,
                    new Steps()
                            .then(host.zfs().set(layout.volume(id).orElseThrow().value(), news)),
                    "zfs set notes",
                    work,
                    found -> found.allNotes().entrySet().containsAll(notes.entrySet()));
        }
    }

    @Override
    public boolean change(NativeId id, NoteChange change, Work work) {
        return look(id, host, work)
                .filter(now -> change.from().equals(now.allNotes().getOrDefault(change.key(), "")))
                .filter(now -> new NoteSwap(host, layout.volume(id).orElseThrow()).swap(now, change, work))
                .isPresent();
    }

    /** Sets properties and reads them back. */
    private StoredVolume change(
            NativeId id,
            Steps setting,
            String kindOfEffect,
            Work work,
            java.util.function.Predicate<VolumeProperties> done) {
        DatasetName name = layout.volume(id).orElseThrow();
        Steps steps = setting.then(host.zfs().get(name.value(), VolumeProperties.ASKED));
        StepsOutcome outcome = host.run(kindOfEffect, name.value(), steps, work);
        if (!outcome.succeeded()) {
            throw outcome.complaint() == dev.fairlead.adapter.zfs.cli.Complaint.DOES_NOT_EXIST
                    ? new StorageException(new Failure.VolumeNotFound(id.value()))
                    : host.failure("changing " + name, outcome);
        }
        Map<String, Property> rows =
                host.rows(outcome, name.value(), VolumeProperties.ASKED).get(name.value());
        return Optional.ofNullable(rows)
                .map(found -> new VolumeProperties(name, longNotes.whole(name, found, work)))
                .filter(done)
                .map(found -> found.volume(id))
                .orElseThrow(() -> host.untrue("properties of " + name + " were set, and read back differently"));
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return lookup.volume(id)
                .map(name -> removal.check(id, name, policy, this::isVolume, work))
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        lookup.volume(id).ifPresent(name -> removal.remove(id, name, policy, work));
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return page.cut(volumes(work));
    }

    private SortedMap<String, StoredVolume> volumes(Work work) {
        SortedMap<String, StoredVolume> found = new TreeMap<>();
        DatasetType own = type(kind);
        List<DatasetName> parents = layout.parents().all();
        // With several parents, their own rows show which are missing and which rows were lost.
        Set<DatasetType> types = parents.size() == 1 ? Set.of(own) : EnumSet.of(own, DatasetType.FILESYSTEM);
        host.below(parents, 1, types, VolumeProperties.ASKED, work)
                .forEach((text, rows) -> DatasetName.of(text)
                        .ifPresent(name -> layout.volume(name)
                                .filter(_ -> isVolume(new VolumeProperties(name, rows)))
                                .map(id -> new VolumeProperties(name, longNotes.whole(name, rows, work)).volume(id))
                                .ifPresent(volume -> found.put(volume.id().value(), volume))));
        return found;
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        Capacity available = Capacity.ofBytes(host.available(new ParentChoice(layout.parents()).of(parameters), work));
        return new Room(available, Optional.of(available));
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return kind == VolumeMedium.Kind.FILESYSTEM && !settings.quota();
    }

    @Override
    public NoteLook noteLook() {
        return new PropertyLook(layout, host.zfs());
    }

    @Override
    public VolumeStore fencing() {
        return new ZfsVolumeStore(connection.fencing(), kind, foreign);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public Optional<VolumeModification> modification() {
        return Optional.of(modification);
    }

    @Override
    public Optional<ContentTransfer> transfer() {
        return Optional.of(transfer);
    }

    @Override
    public Optional<ContentProbe> contentProbe() {
        return ZfsContentProbe.of(connection, kind);
    }

    @Override
    public void close() {
        connection.close();
    }
}
