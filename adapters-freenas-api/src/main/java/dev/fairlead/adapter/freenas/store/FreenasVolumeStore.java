package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.roles.RoleReview;
import dev.fairlead.adapter.freenas.roles.RoleUse;
import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.copy.CopyJobs;
import dev.fairlead.adapter.freenas.store.copy.CopyNotes;
import dev.fairlead.adapter.freenas.store.create.MountPlace;
import dev.fairlead.adapter.freenas.store.create.PermissionTurns;
import dev.fairlead.adapter.freenas.store.create.VolumeBirth;
import dev.fairlead.adapter.freenas.store.create.VolumePlanning;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.destroy.CheckedTrees;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.out.AccessReview;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.CopyTurns;
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
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.settings.DevicePaths;
import dev.fairlead.zfs.volume.OtherParents;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Keeps volumes as the datasets directly below a parent of a TrueNAS box, or one of several. All that is known of a
 * volume is in its user properties, with democratic-csi's names, so the pool holds the whole state.
 */
public final class FreenasVolumeStore implements VolumeStore {
    private final SharedClient<TruenasApi> client;
    private final FreenasStoreSettings settings;
    private final DatasetCalls datasets;
    private final ParentLookup parents;
    private final DatasetPlaces lookup;
    private final VolumeModification modification;
    private final CallNotes notes;
    private final NamedVolumes names;
    private final VolumePlanning planning;
    private final VolumeBirth birth;
    private final VolumeRemoval removal;
    private final VolumeGrowth growth;
    private final MadeVolumes made;
    private final Supplier<VolumeStore> fencing;
    private final FreenasSnapshotStore snapshots;

    public FreenasVolumeStore(
            SharedClient<TruenasApi> client,
            FreenasStoreSettings settings,
            LateCalls late,
            InstantSource clock,
            ConnectionScope scope) {
        this(
                client,
                settings,
                late,
                clock,
                scope,
                new ParentLookup(
                        new DatasetCalls(client.get()),
                        settings.parentMark(),
                        settings.layout().parents().all()),
                new MadeVolumes());
    }

    private FreenasVolumeStore(
            SharedClient<TruenasApi> client,
            FreenasStoreSettings settings,
            LateCalls late,
            InstantSource clock,
            ConnectionScope scope,
            ParentLookup parents,
            MadeVolumes made) {
        this.client = client;
        this.settings = settings;
        this.parents = parents;
        this.made = made;
        this.fencing = () -> new FreenasVolumeStore(client, settings, late, clock, scope, parents.fencing(), made);
        TruenasApi api = client.get();
        this.datasets = new DatasetCalls(api);
        this.lookup = new DatasetPlaces(settings.layout(), datasets::rejected);
        this.notes = new CallNotes(datasets, late);
        this.names = new NamedVolumes(new OtherParents(settings.layout()), parents, notes);
        this.modification = new FreenasModification(notes, settings.kind(), this::entry);
        this.planning = new VolumePlanning(settings, modification::check);
        var copying = new CopyNotes(new CopyJobs(api), datasets, late);
        this.removal = new VolumeRemoval(api, settings, parents, new CheckedTrees(clock), notes, copying, clock);
        var copies = new ContentCopy(api, new CopyTurns(scope), copying, settings.layout());
        this.birth = new VolumeBirth(api, settings, parents, removal, notes, copies, new PermissionTurns(scope));
        this.growth = new VolumeGrowth(settings, notes);
        this.snapshots = new FreenasSnapshotStore(api, settings, parents, removal, notes, copies);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return Set.of(settings.kind());
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        return planning.plan(request, suggested);
    }

    @Override
    public Optional<StoredVolume> existing(Birth planned, Work work) {
        return name(planned.id()).flatMap(name -> names.existing(planned, name, it -> isFinished(planned, it), work));
    }

    private boolean isFinished(Birth planned, DatasetEntry entry) {
        return !MountPlace.isElsewhere(planned, entry)
                && isVolume(entry.volume())
                && !entry.volume().isLeftByPeer();
    }

    @Override
    public Creation create(Birth planned, Work work) {
        DatasetName name = name(planned.id())
                .orElseThrow(() -> new StorageException(new Failure.InvalidRequest("name", "gives no id")));
        Optional<StoredVolume> elsewhere = names.elsewhere(planned, name, work);
        if (elsewhere.isPresent()) {
            return new Creation(elsewhere.get(), false);
        }
        VolumeBirth.Made result = birth.make(planned, name, work);
        if (result.fresh()) {
            made.remember(planned.id(), result.volume());
        }
        return new Creation(result.volume().volume(planned.id()), result.fresh());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return look(id, work).map(volume -> volume.volume(id));
    }

    @Override
    public Optional<StoredVolume> findToMake(NativeId id, Work work) {
        return name(id).flatMap(name -> unremoved(name, work))
                .map(DatasetEntry::volume)
                .filter(this::isVolume)
                .map(volume -> volume.volume(id));
    }

    /** Returns the volume for a caller that would make it; throws if a call that removes it may still come. */
    private Optional<DatasetEntry> unremoved(DatasetName name, Work work) {
        Optional<DatasetEntry> there = parents.findToMake(name, work);
        there.ifPresent(notes::requireNone);
        return there;
    }

    private Optional<VolumeProperties> look(NativeId id, Work work) {
        return entry(id, work).map(DatasetEntry::volume);
    }

    private Optional<DatasetEntry> entry(NativeId id, Work work) {
        return name(id).flatMap(name -> parents.find(name, work)).filter(entry -> isVolume(entry.volume()));
    }

    /** Returns the dataset of an id; throws for an id below a label that the file does not have any more. */
    private Optional<DatasetName> name(NativeId id) {
        return lookup.volume(id);
    }

    private boolean isVolume(VolumeProperties volume) {
        return volume.isManaged() && volume.isWhole() && volume.isBlockDevice() == settings.isBlock();
    }

    private VolumeProperties require(NativeId id, Work work) {
        return look(id, work).orElseThrow(() -> notFound(id));
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return name(id).map(name ->
                settings.isBlock() ? DevicePaths.of(name) : new VolumeMedium.Filesystem(VolumePlanning.MOUNTS + name));
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        DatasetEntry entry = name(id).flatMap(name -> parents.find(name, work))
                .filter(found -> isVolume(found.volume()))
                .orElseThrow(() -> notFound(id));
        VolumeProperties now = entry.volume();
        notes.requireNone(entry); // a smaller growth that comes late would undo a greater one
        Capacity atLeast = range.required().orElse(Capacity.ZERO);
        return growth.holds(entry, atLeast.bytes()) ? now.volume(id) : growth.grow(entry, id, range, work);
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return name(id).map(name -> removal.check(id, name, policy, this::isVolume, work))
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        name(id).ifPresent(name -> removal.remove(id, name, policy, work));
    }

    @Override
    public void note(NativeId id, Map<String, String> given, Work work) {
        if (!given.isEmpty()) {
            VolumeProperties _ = noting(id, given, work);
        }
    }

    @Override
    public Optional<StoredVolume> noted(NativeId id, Map<String, String> given, Work work) {
        return Optional.of(noting(id, given, work)).filter(this::isVolume).map(volume -> volume.volume(id));
    }

    /** Returns the volume as the box answers it after the notes were set; as it was found, if it has them all. */
    private VolumeProperties noting(NativeId id, Map<String, String> given, Work work) {
        VolumeProperties now = made.take(id).orElseGet(() -> require(id, work));
        Map<String, String> news = now.noting(given);
        return news.isEmpty()
                ? now
                : set(id, news, volume -> volume.allNotes().entrySet().containsAll(given.entrySet()), work);
    }

    @Override
    public boolean change(NativeId id, NoteChange change, Work work) {
        Optional<CallNotes.CallNote> taken = name(id).flatMap(name -> notes.note(name, work));
        if (taken.isEmpty()) {
            return false;
        }
        CallNotes.CallNote noted = taken.get();
        VolumeProperties now = noted.entry().volume();
        boolean asExpected =
                isVolume(now) && change.from().equals(now.allNotes().getOrDefault(change.key(), ""));
        Map<String, String> news = now.noting(Map.of(change.key(), change.to()));
        if (!asExpected || news.isEmpty()) {
            notes.withdraw(noted, work);
            return asExpected;
        }
        var _ = made.take(id); // what was read back of it is old by this
        VolumeProperties _ = require(
                id,
                changed(noted, news, work),
                after -> change.to().equals(after.allNotes().get(change.key())),
                work);
        return true;
    }

    private ApiResult changed(CallNotes.CallNote noted, Map<String, String> news, Work work) {
        ApiResult result = notes.change(noted, DatasetFields.updated(news), work);
        if (result instanceof ApiResult.Refused refused && !refused.isAbsent()) {
            notes.withdraw(noted, work);
        }
        return result;
    }

    /** Sets properties and reads them back. */
    private VolumeProperties set(NativeId id, Map<String, String> news, Predicate<VolumeProperties> done, Work work) {
        return require(id, datasets.update(name(id).orElseThrow(), DatasetFields.updated(news), work), done, work);
    }

    private VolumeProperties require(NativeId id, ApiResult result, Predicate<VolumeProperties> done, Work work) {
        DatasetName name = name(id).orElseThrow();
        return switch (result) {
            case ApiResult.Done changed ->
                Optional.of(datasets.answered(changed, name, work).volume())
                        .filter(done)
                        .orElseThrow(() ->
                                datasets.untrue("properties of " + name + " were set, and read back differently"));
            case ApiResult.Refused refused -> throw refused.isAbsent() ? notFound(id) : refused.failure();
        };
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return page.cut(new VolumeList(settings.layout(), datasets, parents, this::isVolume).read(work));
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return new ParentRoom(settings, datasets, parents).of(parameters, work);
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return settings.kind() == VolumeMedium.Kind.FILESYSTEM
                && !settings.zfs().quota();
    }

    @Override
    public VolumeStore fencing() {
        return fencing.get();
    }

    @Override
    public Optional<VolumeModification> modification() {
        return Optional.of(modification);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public Optional<ContentProbe> contentProbe() {
        return settings.isBlock() ? Optional.of(new FreenasContentProbe(client.get(), this::name)) : Optional.empty();
    }

    @Override
    public Optional<AccessReview> accessReview() {
        return Optional.of(
                new RoleReview(client.get(), RoleUse.ofStore(settings.isBlock(), settings.setsPermissions())));
    }

    @Override
    public void close() {
        client.close();
    }
}
