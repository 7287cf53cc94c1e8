package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stands for the disk behind the in-memory fakes: it outlives the stores and exporters that are opened over it, as real
 * storage outlives a process.
 */
public final class InMemoryStorage {
    /** Holds a volume and its files. */
    public record KeptVolume(StoredVolume volume, SortedMap<String, String> files) {
        public KeptVolume {
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        }
    }

    /** Holds a snapshot and the files that it froze. */
    public record KeptSnapshot(StoredSnapshot snapshot, SortedMap<String, String> files) {
        public KeptSnapshot {
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        }
    }

    final String name;
    final String folder;
    final Set<VolumeMedium.Kind> media;
    final Capacity total;
    final boolean snapshotsDepend;
    final boolean rigid;
    final InstantSource clock;
    volatile boolean nodesOwn;
    private final SortedMap<NativeId, KeptVolume> unfinished = new TreeMap<>();
    private final SortedMap<NativeId, KeptVolume> volumes = new TreeMap<>();
    private final SortedMap<NativeId, KeptSnapshot> snapshots = new TreeMap<>();
    private final SortedMap<NativeId, String> exports = new TreeMap<>();
    private final SortedMap<NativeId, SortedMap<String, String>> mutable = new TreeMap<>();
    private final SortedMap<NativeId, GroupShape> groups = new TreeMap<>();
    private final SortedMap<NativeId, Grants> doors = new TreeMap<>();
    private volatile Runnable beforeEachCall = () -> {};
    private volatile InMemoryStorage disk = this;

    private InMemoryStorage(
            String name,
            String folder,
            Set<VolumeMedium.Kind> media,
            Capacity total,
            boolean snapshotsDepend,
            boolean rigid,
            InstantSource clock) {
        this.name = name;
        this.folder = folder;
        this.media = Set.copyOf(media);
        this.total = total;
        this.snapshotsDepend = snapshotsDepend;
        this.rigid = rigid;
        this.clock = clock;
    }

    public String name() {
        return name;
    }

    /** Returns an empty storage of 100 GiB for file systems, whose snapshots outlive their volumes. */
    public static InMemoryStorage named(String name) {
        return new InMemoryStorage(
                name,
                "/memory/" + name,
                Set.of(VolumeMedium.Kind.FILESYSTEM),
                Capacity.ofGibibytes(100),
                false,
                false,
                SteppingClock.by(Duration.ofMillis(1)));
    }

    /** Returns an empty storage like this one, with these media. */
    public InMemoryStorage of(Set<VolumeMedium.Kind> kinds) {
        return new InMemoryStorage(name, folder, kinds, total, snapshotsDepend, rigid, clock);
    }

    /** Returns an empty storage like this one, whose volumes are in the folder. */
    public InMemoryStorage in(String path) {
        return new InMemoryStorage(name, path, media, total, snapshotsDepend, rigid, clock);
    }

    /** Makes it stand for disks of the node itself. */
    public void belongToNode() {
        nodesOwn = true;
    }

    /** Returns an empty storage like this one, of this size. */
    public InMemoryStorage holding(Capacity size) {
        return new InMemoryStorage(name, folder, media, size, snapshotsDepend, rigid, clock);
    }

    /** Returns an empty storage like this one, whose volumes cannot be deleted while they have snapshots. */
    public InMemoryStorage dependentSnapshots() {
        return new InMemoryStorage(name, folder, media, total, true, rigid, clock);
    }

    /** Returns an empty storage like this one, whose store has no role but that of snapshots. */
    public InMemoryStorage rigid() {
        return new InMemoryStorage(name, folder, media, total, snapshotsDepend, true, clock);
    }

    /** Runs before each call of a store or exporter: it may block or throw, as a dead backend does. */
    public void beforeEachCall(Runnable hook) {
        beforeEachCall = hook;
    }

    /** Makes every call fail with this failure until {@link #recover}. */
    public void failWith(Failure failure) {
        beforeEachCall = () -> {
            throw new StorageException(failure);
        };
    }

    public void recover() {
        beforeEachCall = () -> {};
        disk = this;
    }

    /** Makes every call fail until {@link #recover}; a fake that acts without {@link #called} acts on the other one. */
    public void replaceBy(InMemoryStorage other) {
        disk = other;
        failWith(new Failure.BackendUnavailable(name, "another storage is in its place"));
    }

    /** Runs what {@link #beforeEachCall(Runnable)} was given; the fakes call it at the beginning of each call. */
    void called() {
        beforeEachCall.run();
    }

    /** Writes a file as a user of the volume does. */
    public synchronized void write(NativeId volume, String file, String content) {
        KeptVolume kept = volume(volume);
        SortedMap<String, String> files = new TreeMap<>(kept.files());
        files.put(file, content);
        disk.volumes.put(volume, new KeptVolume(kept.volume(), files));
    }

    /** Strips a volume of its name and notes, as a peer that keeps none makes it. */
    public synchronized void forget(NativeId id) {
        StoredVolume volume = volume(id).volume();
        replace(new StoredVolume(id, Optional.empty(), volume.capacity(), volume.medium(), volume.content(), Map.of()));
    }

    /** Returns the volume of this id; throws if there is none. */
    public synchronized KeptVolume volume(NativeId id) {
        return Optional.ofNullable(disk.volumes.get(id))
                .orElseThrow(() -> new IllegalStateException("volume " + id + " is not in the storage"));
    }

    public synchronized SortedMap<NativeId, KeptVolume> volumes() {
        return new TreeMap<>(disk.volumes);
    }

    public synchronized SortedMap<NativeId, KeptSnapshot> snapshots() {
        return new TreeMap<>(disk.snapshots);
    }

    /** Returns the exported path of each exported volume. */
    public synchronized Map<NativeId, String> exports() {
        return new TreeMap<>(disk.exports);
    }

    /** Returns whom a closed export lets in; empty if the export lets in everybody. */
    public synchronized Optional<Grants> admitted(NativeId id) {
        return Optional.ofNullable(disk.doors.get(id));
    }

    /** Returns whether nothing is left of any kind that {@link #dump} tells of. */
    public synchronized boolean isEmpty() {
        return dump().isEmpty();
    }

    /** Returns everything that it has itself, without times, one line each: equal states give equal texts. */
    public synchronized String dump() {
        StringBuilder text = new StringBuilder();
        unfinished.forEach((id, kept) ->
                text.append("unfinished ").append(id).append(' ').append(kept).append('\n'));
        mutable.forEach((id, values) -> text.append(values.isEmpty() ? "" : "mutable %s %s%n".formatted(id, values)));
        volumes.forEach((id, kept) -> text.append("volume %s %s %s %s %s notes %s files %s%n"
                .formatted(
                        id,
                        kept.volume().name(),
                        kept.volume().capacity(),
                        kept.volume().medium(),
                        kept.volume().content(),
                        new TreeMap<>(kept.volume().notes()),
                        kept.files())));
        snapshots.forEach((id, kept) -> text.append("snapshot %s %s of %s, %s, group %s, files %s%n"
                .formatted(
                        id,
                        kept.snapshot().name(),
                        kept.snapshot().source(),
                        kept.snapshot().size(),
                        kept.snapshot().group(),
                        kept.files())));
        groups.forEach((id, shape) -> text.append("group %s %s%n".formatted(id, shape)));
        exports.forEach((id, path) -> text.append("export %s at %s%n".formatted(id, path)));
        doors.forEach((id, grants) -> text.append("export %s for %s%n".formatted(id, grants)));
        return text.toString();
    }

    synchronized Capacity available() {
        long used = disk.volumes.values().stream()
                .mapToLong(
                        kept -> kept.volume().capacity().orElse(Capacity.ZERO).bytes())
                .sum();
        return Capacity.ofBytes(Math.max(0, total.bytes() - used));
    }

    synchronized void begin(KeptVolume kept) {
        disk.unfinished.put(kept.volume().id(), kept);
    }

    /** Makes an unfinished volume a whole one, in one step. */
    synchronized void finish(NativeId id) {
        KeptVolume kept = disk.unfinished.remove(id);
        if (kept != null) {
            disk.volumes.putIfAbsent(id, kept);
        }
    }

    synchronized void replace(StoredVolume volume) {
        disk.volumes.computeIfPresent(volume.id(), (id, kept) -> new KeptVolume(volume, kept.files()));
    }

    synchronized void modify(NativeId id, Map<String, String> values) {
        disk.mutable.put(id, new TreeMap<>(values));
    }

    /** Returns the mutable parameters of a volume, with their present values. */
    public synchronized SortedMap<String, String> mutable(NativeId id) {
        return new TreeMap<>(disk.mutable.getOrDefault(id, new TreeMap<>()));
    }

    /** Keeps all the snapshots of a group in one step. */
    synchronized void keep(NativeId group, GroupShape shape, List<KeptSnapshot> all) {
        disk.groups.put(group, shape);
        all.forEach(this::keep);
    }

    synchronized Optional<GroupShape> shape(NativeId group) {
        return Optional.ofNullable(disk.groups.get(group));
    }

    /** Takes a snapshot away, as somebody else would. */
    public synchronized void lose(NativeId snapshot) {
        removeSnapshot(snapshot);
    }

    /** Changes a note in one step, as a store of several processes must; returns false if its old value is another. */
    synchronized boolean change(NativeId id, NoteChange change) {
        KeptVolume kept = disk.volumes.get(id);
        if (kept == null || !change.from().equals(kept.volume().notes().getOrDefault(change.key(), ""))) {
            return false;
        }
        StoredVolume volume = kept.volume();
        Map<String, String> notes = new TreeMap<>(volume.notes());
        notes.put(change.key(), change.to());
        replace(volume.withNotes(notes));
        return true;
    }

    synchronized void removeVolume(NativeId id) {
        disk.mutable.remove(id);
        disk.unfinished.remove(id);
        disk.volumes.remove(id);
    }

    synchronized void keep(KeptSnapshot kept) {
        disk.snapshots.putIfAbsent(kept.snapshot().id(), kept);
    }

    /** Removes a snapshot, and its group if that has no other one. */
    synchronized void removeSnapshot(NativeId id) {
        disk.snapshots.remove(id);
        disk.groups
                .keySet()
                .removeIf(group -> disk.snapshots.values().stream()
                        .noneMatch(kept -> kept.snapshot().group().equals(Optional.of(group))));
    }

    synchronized boolean isUnfinished(NativeId id) {
        return disk.unfinished.containsKey(id);
    }

    synchronized void export(NativeId id, String path) {
        disk.exports.put(id, path);
    }

    synchronized void admit(NativeId id, Grants grants) {
        disk.doors.put(id, grants);
    }

    synchronized void unexport(NativeId id) {
        disk.exports.remove(id);
        disk.doors.remove(id);
    }
}
