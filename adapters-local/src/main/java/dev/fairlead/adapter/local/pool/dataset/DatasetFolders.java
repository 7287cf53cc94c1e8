package dev.fairlead.adapter.local.pool.dataset;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/** Knows which dataset a folder of a pool has, and refuses what a file says that is not as it was made. */
public record DatasetFolders(BaseFolderLayout layout) {
    /** The field of a record that says the name of the dataset. */
    public static final String FIELD = "dataset";

    /**
     * Returns the dataset that the pool lies on. Throws if it lies on none, or on another one than when its first
     * volume was made: nodes mount what PersistentVolumes name, and nothing may be done meanwhile with what they do not
     * mean.
     */
    public String parent(Datasets datasets) throws IOException {
        String now = parent(layout.state(), datasets);
        Optional<String> before = noted();
        if (before.filter(it -> !it.equals(now)).isPresent()) {
            throw new IOException(layout.base() + " lies on the dataset " + now + ", and PersistentVolumes name those"
                    + " below " + before.get() + "; give it its former name (zfs rename), or write the new one into "
                    + file() + " if no PersistentVolume has the former one");
        }
        return now;
    }

    /** Returns the dataset that a folder lies on; throws if it lies on none. */
    public static String parent(Path folder, Datasets datasets) throws IOException {
        return datasets.of(folder)
                .orElseThrow(
                        () -> new IOException(folder + " is on no dataset of ZFS, which the pool's kind says; mount"
                                + " its dataset, or have another pool of kind image there"));
    }

    private Path file() {
        return layout.state().resolve("dataset.json");
    }

    private Optional<String> noted() throws IOException {
        return Records.read(file()).map(fields -> fields.getOrDefault(FIELD, ""));
    }

    /** Notes once which dataset the pool lies on, before PersistentVolumes name it. */
    public void note(String parent, Work work) throws IOException {
        if (noted().isEmpty()) {
            Path beside = layout.partial().resolve(UUID.randomUUID() + ".dataset");
            Records.prepare(beside, new TreeMap<>(Map.of(FIELD, parent)), work);
            Records.put(beside, file(), work);
            if (!noted().equals(Optional.of(parent))) {
                throw new IOException(file() + " was written and says something else");
            }
        }
    }

    /**
     * Returns the full names of datasets that are called as those of folders and that no folder names, as one that was
     * made after its call was given up.
     */
    public List<String> strays(Datasets datasets) throws IOException {
        String parent = parent(datasets);
        SortedSet<String> left = new TreeSet<>(datasets.at(parent).keySet());
        left.removeIf(name -> !name.startsWith(parent + "/" + VolumeDataset.PREFIX));
        // In the order in which a folder moves, so that none is missed.
        for (Path all : List.of(
                layout.partial(), layout.volumes().folder(), layout.snapshots().folder(), layout.trash())) {
            if (!left.isEmpty() && Files.isDirectory(all)) {
                try (DirectoryStream<Path> folders = Files.newDirectoryStream(all)) {
                    for (Path folder : folders) {
                        VolumeDataset.in(folder).ifPresent(named -> left.remove(named.below(parent)));
                    }
                } catch (DirectoryIteratorException e) {
                    throw e.getCause();
                }
            }
        }
        return List.copyOf(left);
    }

    /**
     * Returns the dataset of a folder. In its place a folder has it only if its record says the same; empty if it has
     * none.
     */
    public Optional<VolumeDataset> in(Path folder) throws IOException {
        Optional<VolumeDataset> named = VolumeDataset.in(folder);
        Optional<RecordedFolders> place = place(folder);
        if (named.isEmpty() || place.isEmpty()) {
            return named;
        }
        String id = String.valueOf(folder.getFileName());
        Optional<String> recorded = Records.read(place.get().record(id)).map(fields -> fields.getOrDefault(FIELD, ""));
        return isOf(named.get(), folder)
                        && recorded.equals(Optional.of(named.get().name()))
                ? named
                : Optional.empty();
    }

    /** Returns whether a file in a folder says that the dataset is this folder's, if that is in its place. */
    public boolean isOf(VolumeDataset named, Path folder) {
        return place(folder)
                .filter(it -> !named.owner().equals(it.kind() + "/" + folder.getFileName()))
                .isEmpty();
    }

    private Optional<RecordedFolders> place(Path folder) {
        return folders().filter(it -> it.folder().equals(folder.getParent())).findFirst();
    }

    private Stream<RecordedFolders> folders() {
        return Stream.of(layout.volumes(), layout.snapshots());
    }

    /**
     * Returns whether the volume or snapshot that a dataset says it belongs to is in its place and names it. What says
     * the same elsewhere is no reason to destroy it.
     */
    public boolean isTaken(VolumeDataset named, String said) throws IOException {
        for (RecordedFolders folders : folders().toList()) {
            String kind = folders.kind() + "/";
            if (said.startsWith(kind) && folders.accepts(said.substring(kind.length()))) {
                return VolumeDataset.in(folders.place(said.substring(kind.length())))
                        .filter(it -> it.name().equals(named.name()))
                        .isPresent();
            }
        }
        return false;
    }
}
