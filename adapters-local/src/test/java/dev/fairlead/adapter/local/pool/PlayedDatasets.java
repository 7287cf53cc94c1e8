package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Plays the datasets of a pool of ZFS, for machines that have none: what is in each lies in a folder beside the pools.
 * Nothing is counted but what a test says, and no write is refused.
 */
final class PlayedDatasets implements Datasets {
    /** Stands for a machine without ZFS. */
    static final PlayedDatasets NONE = new PlayedDatasets(Path.of("/nowhere"), false);

    /** The folder with what is in the datasets. */
    static final String FOLDER = "played-datasets";

    private static final String PARENT = "tank/pool";
    private static final long SPACE = 1L << 30;

    private final Path root;
    private final boolean there;
    private boolean known = true;
    private String parent = PARENT;
    private final Map<String, Played> all = new TreeMap<>();
    private final Map<String, Long> written = new HashMap<>();
    private final Set<String> slow = new HashSet<>();
    private int taken;

    /** @param root the folder below which pools are */
    PlayedDatasets(Path root) {
        this(root, true);
    }

    private PlayedDatasets(Path root, boolean there) {
        this.root = root;
        this.there = there;
    }

    /**
     * Holds a dataset or snapshot.
     *
     * @param origin the snapshot that it was made of; empty if it was made empty
     * @param order of a snapshot
     * @param deferred whether a snapshot goes with its last clone
     * @param owner whose it says that it is
     */
    private record Played(long limit, boolean writable, String origin, int order, boolean deferred, String owner) {
        static final Played EMPTY = new Played(0, true, "", 0, false, "-");

        Played ownedBy(String now) {
            return new Played(limit, writable, origin, order, deferred, now);
        }

        Played madeOf(String snapshot) {
            return new Played(limit, writable, snapshot, order, deferred, owner);
        }
    }

    @Override
    public Optional<String> of(Path folder) {
        return there ? Optional.of(parent) : Optional.empty();
    }

    @Override
    public Optional<String> guid(String dataset) {
        return known ? Optional.of(Long.toString(Integer.toUnsignedLong(dataset.hashCode()) + 1)) : Optional.empty();
    }

    private DatasetState state(String name) {
        Played played = all.getOrDefault(name, Played.EMPTY);
        return new DatasetState(
                played.limit(), written.getOrDefault(name, 0L), 0, SPACE, played.writable(), false, played.owner());
    }

    @Override
    public synchronized Optional<DatasetState> find(String dataset) {
        return dataset.equals(PARENT)
                ? Optional.of(state(PARENT)).filter(_ -> known)
                : Optional.of(dataset).filter(all::containsKey).map(this::state);
    }

    @Override
    public synchronized Map<String, DatasetState> at(String parent) {
        Map<String, DatasetState> states = new HashMap<>(Map.of(PARENT, state(PARENT)));
        all.keySet().stream().filter(name -> !name.contains("@")).forEach(name -> states.put(name, state(name)));
        return states;
    }

    private Path content(String name) {
        return root.resolve(FOLDER).resolve(name.substring(name.lastIndexOf('/') + 1));
    }

    private Played known(String name) throws IOException {
        Played played = all.get(name);
        if (slow.contains(name)) {
            throw new StorageException(new Failure.TimedOut("test", "zfs on " + name, Duration.ofSeconds(30)));
        }
        if (played == null) {
            throw new IOException("cannot open '" + name + "': dataset does not exist");
        }
        return played;
    }

    /** The pool's folder is now on another dataset, as one that was received. */
    void mount(String other) {
        parent = other;
    }

    /** The program knows the pool's dataset no more, and makes none below it. */
    void lose() {
        known = false;
    }

    private void make(String name, Played played, Optional<String> source) throws IOException {
        if (!known) {
            throw new IOException("cannot create '" + name + "': no such pool");
        }
        if (all.containsKey(name)) {
            throw new IOException("cannot create '" + name + "': dataset already exists");
        }
        Files.createDirectories(content(name));
        if (source.isPresent()) {
            try (Stream<Path> files = Files.list(content(source.get()))) {
                for (Path file : files.toList()) {
                    Files.copy(file, content(name).resolve(file.getFileName()));
                }
            }
        }
        all.put(name, played);
        source.map(written::get).ifPresent(bytes -> written.put(name, bytes));
    }

    @Override
    public synchronized void create(String dataset, String owner) throws IOException {
        make(dataset, Played.EMPTY.ownedBy(owner), Optional.empty());
    }

    @Override
    public synchronized void own(String dataset, String owner) throws IOException {
        all.put(dataset, known(dataset).ownedBy(owner));
    }

    /** Every change of these datasets takes too long from now on, and of no others. */
    synchronized void slow(Collection<String> those) {
        slow.clear();
        slow.addAll(those);
    }

    /** A program writes to a dataset, and exceeds its limit as one may that does not sync. */
    synchronized void write(String dataset, long bytes) {
        written.put(dataset, bytes);
    }

    @Override
    public synchronized void snapshot(List<String> snapshots) throws IOException {
        for (String snapshot : snapshots) {
            known(snapshot.substring(0, snapshot.indexOf('@'))); // all or none
        }
        taken++;
        for (String snapshot : snapshots) {
            String dataset = snapshot.substring(0, snapshot.indexOf('@'));
            make(snapshot, new Played(0, false, "", taken, false, "-"), Optional.of(dataset));
        }
    }

    @Override
    public synchronized void clone(String snapshot, String dataset, String owner) throws IOException {
        known(snapshot);
        make(dataset, Played.EMPTY.madeOf(snapshot).ownedBy(owner), Optional.of(snapshot));
    }

    private List<String> clones(String snapshot) {
        return all.entrySet().stream()
                .filter(it -> it.getValue().origin().equals(snapshot))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public synchronized void release(String snapshot) throws IOException {
        Played played = all.get(snapshot);
        if (played != null && clones(snapshot).isEmpty()) {
            remove(snapshot);
        } else if (played != null) {
            all.put(snapshot, new Played(0, false, "", played.order(), true, "-"));
        }
    }

    @Override
    public synchronized void releaseAll(String dataset) throws IOException {
        for (String snapshot : snapshots(dataset)) {
            release(snapshot);
        }
    }

    @Override
    public synchronized boolean isReleased(String snapshot) {
        return Optional.ofNullable(all.get(snapshot)).map(Played::deferred).orElse(true);
    }

    private void remove(String name) throws IOException {
        all.remove(name);
        written.remove(name);
        TreeDelete.delete(content(name));
    }

    @Override
    public synchronized void limit(String dataset, long bytes) throws IOException {
        Played played = known(dataset);
        if (bytes != 0 && bytes < written.getOrDefault(dataset, 0L)) {
            throw new IOException(
                    "cannot set property for '" + dataset + "': size is less than current used or reserved space");
        }
        all.put(dataset, new Played(bytes, played.writable(), played.origin(), 0, false, played.owner()));
    }

    @Override
    public synchronized void protect(String dataset) throws IOException {
        Played played = known(dataset);
        all.put(dataset, new Played(played.limit(), false, played.origin(), 0, false, played.owner()));
    }

    private List<String> snapshots(String dataset) {
        return all.keySet().stream()
                .filter(name -> name.startsWith(dataset + "@"))
                .sorted(Comparator.comparingInt((String name) ->
                                all.getOrDefault(name, Played.EMPTY).order())
                        .reversed())
                .toList();
    }

    @Override
    public synchronized Optional<String> clone(String dataset) {
        return snapshots(dataset).stream().flatMap(it -> clones(it).stream()).findFirst();
    }

    @Override
    public synchronized void promote(String clone) throws IOException {
        Played played = known(clone);
        Played origin = known(played.origin());
        String dataset = played.origin().substring(0, played.origin().indexOf('@'));
        Played former = known(dataset);
        for (String snapshot : snapshots(dataset)) {
            Played moved = known(snapshot);
            if (moved.order() <= origin.order()) {
                String name = clone + snapshot.substring(snapshot.indexOf('@'));
                Files.move(content(snapshot), content(name));
                all.remove(snapshot);
                all.put(name, moved);
                all.replaceAll((_, it) -> it.origin().equals(snapshot) ? it.madeOf(name) : it);
            }
        }
        all.put(clone, played.madeOf(former.origin()));
        all.put(
                dataset,
                former.madeOf(clone + played.origin().substring(played.origin().indexOf('@'))));
    }

    @Override
    public synchronized void destroy(String dataset) throws IOException {
        String origin = known(dataset).origin();
        if (all.keySet().stream().anyMatch(it -> it.startsWith(dataset + "@") || it.startsWith(dataset + "/"))) {
            throw new IOException("cannot destroy '" + dataset + "': filesystem has children");
        }
        remove(dataset);
        if (!origin.isEmpty() && known(origin).deferred() && clones(origin).isEmpty()) {
            remove(origin);
        }
    }

    /** Returns the names of all datasets and snapshots. */
    synchronized Set<String> names() {
        return Set.copyOf(all.keySet());
    }

    /** Forgets all datasets but these. */
    synchronized void keep(Set<String> names) throws IOException {
        for (String name : List.copyOf(all.keySet())) {
            if (!names.contains(name)) {
                remove(name);
            }
        }
    }

    /** Returns all datasets and snapshots as text, without their random names. */
    synchronized String dump() {
        return all.entrySet().stream()
                .map(it -> {
                    Played played = it.getValue();
                    return (it.getKey().contains("@") ? "snapshot" : "dataset") + " of " + played.limit()
                            + (played.writable() ? " writable" : "")
                            + (played.owner().startsWith("making") ? " making" : "")
                            + (played.origin().isEmpty() ? "" : " cloned")
                            + (played.deferred() ? " deferred" : "");
                })
                .sorted()
                .toList()
                .toString();
    }
}
