package dev.fairlead.adapter.freenas.export;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Makes a closed volume's export follow the nodes that are recorded with the volume, also if another process changes
 * the record meanwhile.
 */
public final class GrantedNodes {
    private static final String DEVICES = "/dev/zvol/";
    private static final String MOUNTS = "/mnt/";
    private static final int MOST_ROUNDS = 5;

    private final String connection;
    private final DatasetCalls datasets;

    public GrantedNodes(TruenasApi api) {
        this.connection = api.connection();
        this.datasets = new DatasetCalls(api);
    }

    /** Returns the name of a medium's dataset; throws for a path that no dataset of a box has. */
    public String name(VolumeMedium medium) {
        return dataset(medium).value();
    }

    private DatasetName dataset(VolumeMedium medium) {
        return find(medium)
                .orElseThrow(() -> new StorageException(new Failure.BackendRejected(
                        connection,
                        "'" + medium.path() + "' is no path of a dataset, so that it cannot be exported (expected: "
                                + DEVICES + " or " + MOUNTS + " and its name)")));
    }

    private static Optional<DatasetName> find(VolumeMedium medium) {
        String before = medium.kind() == VolumeMedium.Kind.BLOCK_DEVICE ? DEVICES : MOUNTS;
        return medium.path().startsWith(before)
                ? DatasetName.of(medium.path().substring(before.length()))
                : Optional.empty();
    }

    /**
     * Returns a block device in the box's own words, such as {@code zvol/tank/k8s/pvc-a}, where a plus stands for a
     * space; throws for a path that no dataset of a box has.
     */
    public String disk(VolumeMedium medium) {
        return disk(dataset(medium));
    }

    /** Returns the same; empty for a path that no dataset of a box has. */
    public static Optional<String> findDisk(VolumeMedium medium) {
        return find(medium).map(GrantedNodes::disk);
    }

    private static String disk(DatasetName dataset) {
        return ExportRows.device("zvol/" + dataset);
    }

    /** Returns the same of a volume that is to be no longer exported; empty if it is of no path of a dataset. */
    public static Optional<String> disk(Optional<VolumeMedium> where, Optional<StoredVolume> stored) {
        return stored.map(StoredVolume::medium).or(() -> where).flatMap(GrantedNodes::findDisk);
    }

    /**
     * Lets exactly these nodes in. If the record is another one afterwards, a node may have been let in that was shut
     * out meanwhile, and nobody else would take that back: so the record is followed until it stays the same, and the
     * caller tries again.
     *
     * @param change lets exactly these nodes in and reads that back
     */
    public void follow(StoredVolume seen, Grants wanted, Consumer<Grants> change, Work work) {
        follow(seen, dataset(seen, work), wanted, change, work);
    }

    /**
     * Lets exactly these nodes in as {@link #follow} does, for their use of the volume: none is let in to a locked
     * dataset, which the box exports to nobody, whatever its rows say.
     */
    public void admit(StoredVolume seen, Grants wanted, Consumer<Grants> change, Work work) {
        DatasetEntry entry = dataset(seen, work);
        if (!wanted.isEmpty()) {
            requireUnlocked(entry);
        }
        follow(seen, entry, wanted, change, work);
    }

    private void requireUnlocked(DatasetEntry entry) {
        if (entry.isLocked()) {
            throw ApiResult.lockedFailure(
                    connection,
                    "the box says that the dataset " + entry.name() + " is locked, and exports it to nobody");
        }
    }

    private void follow(StoredVolume seen, DatasetEntry entry, Grants wanted, Consumer<Grants> change, Work work) {
        if (hasChanged(seen, recorded(entry))) {
            throw changedMeanwhile(seen);
        }
        change.accept(wanted);
        Optional<String> after = recorded(seen, work);
        if (!hasChanged(seen, after)) {
            return;
        }
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Optional<String> now = after;
            change.accept(grants(now));
            after = recorded(seen, work);
            if (after.equals(now)) {
                break;
            }
        }
        throw changedMeanwhile(seen);
    }

    /**
     * Lets only those who remain of the nodes that an export lets in now. Nobody is let in besides: of the nodes that
     * are recorded, a box may refuse some, and that must not keep another one from being shut out. If none of those who
     * remain is in, all of them are let in, since a call that was cut may have left it so; nobody is, if the box
     * refuses that.
     *
     * @param there whom it lets in now; empty for everybody
     * @param change lets exactly these nodes in and reads that back
     */
    public static void shutOut(Set<String> remaining, Optional<Set<String>> there, Consumer<Set<String>> change) {
        Set<String> kept = new TreeSet<>(remaining);
        kept.retainAll(there.orElse(Set.of()));
        if (!kept.isEmpty() || remaining.isEmpty()) {
            change.accept(kept);
            return;
        }
        try {
            change.accept(remaining);
        } catch (StorageException e) {
            boolean refused =
                    e.failure() instanceof Failure.BackendRejected || e.failure() instanceof Failure.StorageUnfit;
            if (!refused) {
                throw e;
            }
            change.accept(kept);
        }
    }

    /** Shuts nodes out by changes of a row, or by its removal if the box dislikes any of the row's fields. */
    public static void shutOut(Runnable change, Runnable removal) {
        try {
            change.run();
        } catch (StorageException e) {
            if (!(e.getCause() instanceof RefusedFieldsException)) {
                throw e;
            }
            removal.run();
        }
    }

    /**
     * Notes the numbers of rows with a volume if it has other ones noted: democratic-csi finds its rows by them. An
     * earlier call that comes late may still set those of rows that are gone; as they are compared each time, with what
     * was read of the volume anyway, the next call that looks at the rows sets them right.
     */
    public void note(StoredVolume volume, Map<String, String> numbers, Work work) {
        if (volume.notes().entrySet().containsAll(numbers.entrySet())) {
            return;
        }
        entry(volume.medium(), work).ifPresent(entry -> {
            Map<String, String> news = entry.volume().noting(numbers);
            if (!news.isEmpty()) {
                datasets.update(entry.name(), DatasetFields.updated(news), work).orThrow();
            }
        });
    }

    /** Returns the dataset of a medium, which is mounted where the medium says, whatever its name. */
    private Optional<DatasetEntry> entry(VolumeMedium medium, Work work) {
        if (medium.kind() == VolumeMedium.Kind.BLOCK_DEVICE) {
            return datasets.find(dataset(medium), work);
        }
        return find(medium)
                .flatMap(name -> named(name, work))
                .filter(entry ->
                        entry.text("mountpoint").filter(medium.path()::equals).isPresent())
                .or(() -> datasets.mountedAt(medium.path(), work));
    }

    /** Returns the dataset of a name that a path gives; empty if the connection may not ask for it. */
    private Optional<DatasetEntry> named(DatasetName name, Work work) {
        try {
            return datasets.find(name, work);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.BackendRejected) {
                return Optional.empty(); // the path leads out of the parents, and the name is another dataset's
            }
            throw e;
        }
    }

    private static Grants grants(Optional<String> record) {
        return Access.of(Map.of(Access.NOTE, "nodes", Access.GRANTS, record.orElse("")))
                        instanceof Access.Nodes(Grants grants)
                ? grants
                : Grants.NONE;
    }

    /** Returns the record as the box has it now; empty if there is none. */
    private Optional<String> recorded(StoredVolume volume, Work work) {
        return recorded(dataset(volume, work));
    }

    private static Optional<String> recorded(DatasetEntry entry) {
        return Optional.ofNullable(entry.volume().allNotes().get(Access.GRANTS));
    }

    private DatasetEntry dataset(StoredVolume volume, Work work) {
        return entry(volume.medium(), work)
                .orElseThrow(() -> new StorageException(
                        new Failure.VolumeNotFound(volume.id().value())));
    }

    private static boolean hasChanged(StoredVolume seen, Optional<String> record) {
        String known = seen.notes().getOrDefault(Access.GRANTS, "");
        return record.filter(text -> !text.equals(known)).isPresent();
    }

    private StorageException changedMeanwhile(StoredVolume volume) {
        return new StorageException(new Failure.BackendUnavailable(
                connection, "the nodes that volume " + volume.id() + " is published to were changed meanwhile"));
    }
}
