package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.Datasets.DatasetState;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Describes folders that hold nothing but the name of a dataset of ZFS, which nodes mount and whose quota keeps the
 * volume's size. Snapshots and clones are made at one instant, in use or not, and each is a dataset of its own.
 *
 * <p>A dataset that others were copied from can be destroyed all the same: the newest copy becomes the owner of what
 * they share first.
 */
final class ZfsForm implements FolderForm {
    private final DatasetFolders folders;
    private final Datasets datasets;

    ZfsForm(BaseFolderLayout layout, Datasets datasets) {
        this.folders = new DatasetFolders(layout);
        this.datasets = datasets;
    }

    @Override
    public VolumeMedium medium(Path folder) {
        return new VolumeMedium.Filesystem(VolumeDataset.file(folder).toString());
    }

    @Override
    public Capacity size(CapacityRange range) {
        return SizeRules.of("zfs").choose(range);
    }

    @Override
    public void make(Path folder, Work work) throws IOException {
        String parent = folders.parent(datasets);
        folders.note(parent, work);
        VolumeDataset named = name(folder, "", work);
        String dataset = named.below(parent);
        work.effect(new Effect("dataset", folder.toString()), () -> datasets.create(dataset, named.maker()));
    }

    /** Makes a folder and writes the name of its dataset before that is made, so that it is found whatever happens. */
    private VolumeDataset name(Path folder, String source, Work work) throws IOException {
        FolderForm.super.make(folder, work);
        VolumeDataset named = VolumeDataset.copyOf(source, BaseFolderContext.subject(folder));
        work.effect(new Effect("name", folder.toString()), () -> named.write(folder));
        if (!VolumeDataset.in(folder).equals(Optional.of(named))) {
            throw new IOException(VolumeDataset.file(folder) + " was written and says something else");
        }
        return named;
    }

    @Override
    public boolean copy(Path source, Path folder, Work work) throws IOException {
        return copyTogether(Map.of(folder, source), work);
    }

    @Override
    public boolean hasInstant() {
        return true;
    }

    @Override
    public boolean copyTogether(Map<Path, Path> copies, Work work) throws IOException {
        String parent = folders.parent(datasets);
        folders.note(parent, work);
        SequencedMap<Path, VolumeDataset> all = new LinkedHashMap<>();
        for (Map.Entry<Path, Path> copy : copies.entrySet()) {
            all.put(copy.getKey(), name(copy.getKey(), named(copy.getValue()).name(), work));
        }
        List<String> origins =
                all.values().stream().flatMap(it -> it.origin(parent).stream()).toList();
        String first = String.valueOf(all.firstEntry().getKey());
        work.effect(new Effect("snapshot", first), () -> datasets.snapshot(origins));
        // From here on it goes on without its caller: a repeated call would begin anew, and take as long.
        Work finishing = work.finishing();
        long cloned = 0;
        for (Map.Entry<Path, VolumeDataset> copy : all.entrySet()) {
            finishing.checkEnding();
            clone(copy.getValue(), parent, copy.getKey().toString(), finishing);
            cloned++;
            if (all.size() > 1) {
                finishing.progress(cloned, all.size());
            }
        }
        return true;
    }

    /** Makes a dataset of the snapshot that was taken for it. */
    private void clone(VolumeDataset named, String parent, String folder, Work work) throws IOException {
        String origin = named.origin(parent).orElseThrow();
        work.effect(new Effect("clone", folder), () -> datasets.clone(origin, named.below(parent), named.maker()));
        // From here on the snapshot goes with the last dataset that was made of it.
        work.effect(new Effect("release", folder), () -> datasets.release(origin));
        if (!datasets.isReleased(origin)) {
            throw new IOException(origin + " was destroyed with zfs destroy -d and is not on its way");
        }
    }

    @Override
    public SortedMap<String, String> fields(Path folder) throws IOException {
        return VolumeDataset.in(folder)
                .map(named -> new TreeMap<>(Map.of(DatasetFolders.FIELD, named.name())))
                .orElseGet(TreeMap::new);
    }

    @Override
    public List<String> strays() throws IOException {
        return folders.strays(datasets);
    }

    @Override
    public boolean settle(Path folder, Work work) throws IOException {
        Optional<DatasetState> state = state(folder);
        if (state.isEmpty() || isSettled(folder, state.get())) {
            return false;
        }
        VolumeDataset named = named(folder);
        String dataset = named.below(folders.parent(datasets));
        work.effect(new Effect("own", folder.toString()), () -> datasets.own(dataset, named.owner()));
        return true;
    }

    private boolean isSettled(Path folder, DatasetState state) throws IOException {
        return state.owner().equals(named(folder).owner());
    }

    private VolumeDataset named(Path folder) throws IOException {
        return folders.in(folder)
                .orElseThrow(() -> new StorageException(new Failure.NotOurs(
                        "the folder " + folder,
                        "no file " + VolumeDataset.FILE + " in it that names the dataset of its record")));
    }

    /** Returns the state of the dataset of a folder; empty if it has none that says it is this folder's. */
    private Optional<DatasetState> state(Path folder) throws IOException {
        Optional<VolumeDataset> named = folders.in(folder);
        return named.isPresent()
                ? datasets.find(named.get().below(folders.parent(datasets)))
                        .filter(it -> named.get().isOwn(it.owner()))
                : Optional.empty();
    }

    @Override
    public void complete(Path folder, Capacity size, Work work) throws IOException {
        Optional<DatasetState> state = state(folder);
        if (!missing(state, size).isEmpty()) {
            String dataset = named(folder).below(folders.parent(datasets));
            long least = state.map(DatasetState::referenced).orElse(0L); // less is refused
            work.effect(
                    new Effect("size", folder.toString()),
                    () -> datasets.limit(dataset, Math.max(size.bytes(), least)));
        }
    }

    @Override
    public String missing(Path folder, Capacity size) throws IOException {
        return missing(state(folder), size);
    }

    private static String missing(Optional<DatasetState> state, Capacity size) {
        if (state.isEmpty()) {
            return "its dataset";
        }
        return state.get().limit() < size.bytes() ? "a quota of " + size : "";
    }

    @Override
    public String unsettled(Path folder, Capacity size) throws IOException {
        Optional<DatasetState> state = state(folder);
        return state.isPresent() && !isSettled(folder, state.get())
                ? "the word of its dataset that it is that of " + named(folder).owner()
                : missing(state, size);
    }

    @Override
    public String use(Path folder) throws IOException {
        return state(folder).filter(DatasetState::mounted).isPresent()
                ? "a mount of the dataset " + named(folder).name()
                : "";
    }

    @Override
    public Capacity copySize(Path folder, Capacity size) throws IOException {
        return state(folder)
                .map(state -> Capacity.ofBytes(state.referenced()))
                .orElse(Capacity.ZERO); // it is not copied then
    }

    @Override
    public Capacity mostCopied(Path folder, Capacity size, Capacity now) {
        return now; // it is made at one instant
    }

    @Override
    public String version(Path folder) throws IOException {
        return named(folder).name();
    }

    @Override
    public void seal(Path folder, Work work) throws IOException {
        if (state(folder).filter(DatasetState::writable).isEmpty()) {
            return;
        }
        String dataset = named(folder).below(folders.parent(datasets));
        work.effect(new Effect("seal", folder.toString()), () -> datasets.protect(dataset));
        if (state(folder).filter(DatasetState::writable).isPresent()) {
            throw new IOException(dataset + " was made read-only and can still be written to");
        }
    }

    @Override
    public void dispose(Path folder, boolean made, Work work) throws IOException {
        Optional<VolumeDataset> named = VolumeDataset.in(folder);
        if (named.isEmpty()) {
            return;
        }
        String parent = folders.parent(datasets);
        String dataset = named.get().below(parent);
        String promoted = "";
        Optional<DatasetState> found = datasets.find(dataset);
        if (found.isPresent()) {
            String owner = found.get().owner();
            if (folders.isTaken(named.get(), owner)) {
                return; // of a volume that is there, whatever this folder says
            }
            refuseOthers(dataset, named.get(), owner, made);
            // First, so that what only this one has held before is in no clone that is promoted.
            work.effect(new Effect("release", folder.toString()), () -> datasets.releaseAll(dataset));
        }
        while (datasets.find(dataset).isPresent()) {
            String clone = datasets.clone(dataset).orElse("");
            if (clone.isEmpty() || clone.equals(promoted)) {
                work.effect(new Effect("destroy", folder.toString()), () -> datasets.destroy(dataset));
                break;
            }
            work.effect(new Effect("promote", folder.toString()), () -> datasets.promote(clone));
            promoted = clone;
        }
        if (datasets.find(dataset).isPresent()) {
            throw new IOException(dataset + " was destroyed and is still there");
        }
        Optional<String> origin = named.get().origin(parent);
        if (origin.isPresent()) { // it is still there if the call that took it ended before it was released
            work.effect(new Effect("release", folder.toString()), () -> datasets.release(origin.get()));
        }
    }

    /** Throws if a dataset is not that of a folder in the trash, or has been in use since the folder was made. */
    private static void refuseOthers(String dataset, VolumeDataset named, String owner, boolean made)
            throws IOException {
        if (!named.isOwn(owner)) {
            throw new IOException(dataset + " says that its owner is '" + owner + "' and is not destroyed as that of "
                    + named.owner());
        }
        if (!made && owner.equals(named.owner())) {
            throw new IOException(dataset + " is that of " + owner + ", and the pool's own dataset was rolled back to a"
                    + " time at which it was being made; restore what it was, or destroy the dataset");
        }
    }

    @Override
    public boolean enforcesSize() {
        return true;
    }
}
