package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Believes that a dataset is absent only if its parent is there: a pool that is away has no datasets either. A parent
 * that has not the mark that the connection's file asks for is as good as missing.
 */
public final class ParentLookup {
    private static final Logger log = LoggerFactory.getLogger(ParentLookup.class);

    private final DatasetCalls calls;
    private final Optional<String> mark;
    private final Set<DatasetName> parents;
    private final boolean fencing;
    /** Holds the parents that were looked at for the mark of volumes, on a box that shows it on all below. */
    private final Set<DatasetName> unmarked = ConcurrentHashMap.newKeySet();

    private final Set<DatasetName> met = ConcurrentHashMap.newKeySet();

    /**
     * @param mark the mark that each parent has to have
     * @param parents the parents of volumes
     */
    public ParentLookup(DatasetCalls calls, Optional<String> mark, Collection<DatasetName> parents) {
        this(calls, mark, parents, false);
    }

    private ParentLookup(DatasetCalls calls, Optional<String> mark, Collection<DatasetName> parents, boolean fencing) {
        this.calls = calls;
        this.mark = mark;
        this.parents = Set.copyOf(parents);
        this.fencing = fencing;
    }

    /**
     * Returns a lookup for shutting nodes out, so that a dead one does not go on writing: a volume that is there is
     * believed also if its parent lacks the mark of the file, or has the one of volumes. What is not there is believed
     * to be gone as little as always, and a parent with another mark is somebody else's.
     */
    public ParentLookup fencing() {
        return new ParentLookup(calls, mark, Set.of(), true);
    }

    /** Returns the dataset directly below a parent; empty only if it is proved absent. */
    public Optional<DatasetEntry> find(DatasetName name, Work work) {
        Optional<DatasetEntry> found =
                calls.find(name, work).map(entry -> fencing && lacksMark(entry) ? warned(entry) : marked(entry));
        if (found.isEmpty()) {
            require(parent(name), work);
        } else {
            requireOwnMarks(parent(name), work);
        }
        return found;
    }

    /** Returns the same with what hangs on it. */
    public Optional<DatasetEntry> findWithDependents(DatasetName name, Work work) {
        Optional<DatasetEntry> found = calls.findWithDependents(name, work).map(this::marked);
        if (found.isEmpty()) {
            require(parent(name), work);
        } else {
            requireOwnMarks(parent(name), work);
        }
        return found;
    }

    /** Returns the same for a caller that would make it; empty also if the parent was never met and can be made. */
    public Optional<DatasetEntry> findToMake(DatasetName name, Work work) {
        Optional<DatasetEntry> found = calls.find(name, work).map(this::marked);
        if (found.isEmpty()) {
            look(parent(name), work);
        }
        requireOwnMarks(parent(name), work);
        return found;
    }

    /**
     * Returns the same and those of its namesakes below other parents, and of these parents, that are there, by one
     * query. What is not there of these is not proved absent, as volumes of other pools are used while one is away.
     */
    public Map<DatasetName, DatasetEntry> findToMake(DatasetName name, List<DatasetName> namesakes, Work work) {
        List<DatasetName> asked = new ArrayList<>(namesakes);
        namesakes.forEach(it -> asked.add(parent(it)));
        asked.add(name);
        Map<DatasetName, DatasetEntry> found = calls.each(asked, work).stream()
                .filter(entry -> asked.contains(entry.name()))
                .collect(Collectors.toMap(DatasetEntry::name, entry -> entry, (one, _) -> one));
        Optional.ofNullable(found.get(name)).ifPresentOrElse(this::marked, () -> look(parent(name), work));
        requireOwnMarks(parent(name), work);
        namesakes.stream().filter(found::containsKey).forEach(it -> requireOwnMarks(parent(it), work));
        return found;
    }

    /** Returns those of these siblings that are there, by one query; the others are proved absent. */
    public List<DatasetEntry> left(List<DatasetName> siblings, Work work) {
        List<DatasetEntry> all = withParent(siblings, work);
        return all.subList(1, all.size());
    }

    /** Returns their parent, and then the same. */
    public List<DatasetEntry> withParent(List<DatasetName> siblings, Work work) {
        List<DatasetName> asked = new ArrayList<>(siblings);
        DatasetName parent = parent(siblings.getFirst());
        asked.add(parent);
        List<DatasetEntry> found = calls.each(asked, work);
        DatasetEntry above = found.stream()
                .filter(entry -> entry.name().equals(parent))
                .findFirst()
                .orElseThrow(() -> missing(parent));
        seen(above, work);
        return Stream.concat(Stream.of(above), found.stream().filter(entry -> siblings.contains(entry.name())))
                .toList();
    }

    /**
     * Returns the dataset directly below a parent, and throws if one of these parents is not there, unless it was never
     * met, may be made, and its pool is there: all by one query.
     *
     * @param name empty if only the parents are asked for
     */
    public Optional<DatasetEntry> findWithPools(Optional<DatasetName> name, List<DatasetName> above, Work work) {
        Set<DatasetName> asked = new LinkedHashSet<>(above);
        name.ifPresent(it -> asked.addAll(List.of(it, parent(it))));
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        Map<DatasetName, DatasetEntry> found = calls.each(asked, work).stream()
                .collect(Collectors.toMap(DatasetEntry::name, this::marked, (one, _) -> one));
        Optional<DatasetEntry> there = name.flatMap(it -> Optional.ofNullable(found.get(it)));
        for (DatasetName parent : asked) {
            Optional<DatasetEntry> entry = Optional.ofNullable(found.get(parent));
            if (name.filter(parent::equals).isPresent()) {
                continue;
            }
            if (entry.isPresent()) {
                seen(entry.get(), work);
            } else if (met.contains(parent)
                    || mark.isPresent()
                    || (there.isEmpty()
                            && name.map(ParentLookup::parent)
                                    .filter(parent::equals)
                                    .isPresent())
                    || (found.keySet().stream().noneMatch(it -> it.pool().equals(parent.pool()))
                            && !calls.hasPool(parent.pool(), work))) {
                throw missing(parent);
            }
        }
        return there;
    }

    /** Returns the parent; throws if it is not there. */
    public DatasetEntry require(DatasetName parent, Work work) {
        return look(parent, work).orElseThrow(() -> missing(parent));
    }

    /** Returns the parent; empty if it is not there, was never met, and may be made. */
    public Optional<DatasetEntry> look(DatasetName parent, Work work) {
        Optional<DatasetEntry> found = calls.find(parent, work);
        found.ifPresent(parentEntry -> seen(parentEntry, work));
        if (found.isEmpty() && (met.contains(parent) || mark.isPresent())) {
            throw missing(parent);
        }
        return found;
    }

    /** Throws if a parent is not there, unless it was never met, may be made, and its pool is there. */
    public void requirePool(DatasetName parent, Work work) {
        if (look(parent, work).isEmpty() && !calls.hasPool(parent.pool(), work)) {
            throw missing(parent);
        }
    }

    /**
     * Throws if a parent has the mark of managed volumes, unless the box tells whether a dataset inherits a property;
     * from 25.10 on it does not, so that everything below such a parent would be taken for a volume. A parent is looked
     * at once.
     */
    public void requireOwnMarks(DatasetName parent, Work work) {
        if (!parents.contains(parent) || !showsInheritedAsOwn(work) || unmarked.contains(parent)) {
            return;
        }
        Optional<DatasetEntry> found = calls.find(parent, work);
        found.ifPresent(this::noteMark);
        if (found.isPresent() && !unmarked.contains(parent)) {
            throw calls.unavailable("the dataset " + parent + " has the mark " + PeerProperties.MANAGED
                    + " of volumes itself or by one above, so that TrueNAS shows it on everything below, whose ever that"
                    + " is; take it away there: zfs inherit " + PeerProperties.MANAGED + " " + parent);
        }
    }

    private void seen(DatasetEntry parent, Work work) {
        marked(parent);
        met.add(parent.name());
        if (showsInheritedAsOwn(work)) {
            noteMark(parent);
        }
    }

    private void noteMark(DatasetEntry parent) {
        boolean isMarked = parent.text(PeerProperties.MANAGED)
                .filter(PeerProperties.TRUE::equals)
                .isPresent();
        var _ = isMarked ? unmarked.remove(parent.name()) : unmarked.add(parent.name());
    }

    private boolean showsInheritedAsOwn(Work work) {
        return calls.api().release(work).isAtLeast(25, 10);
    }

    private boolean lacksMark(DatasetEntry entry) {
        return mark.isPresent() && entry.text(OwnProperties.PARENT).isEmpty();
    }

    private static DatasetEntry warned(DatasetEntry entry) {
        log.atWarn()
                .addKeyValue("dataset", entry.name())
                .addKeyValue("lacks", OwnProperties.PARENT)
                .log("nodes are shut out of a volume whose parent has not the mark of the connection");
        return entry;
    }

    private DatasetEntry marked(DatasetEntry entry) {
        if (mark.isPresent() && !mark.equals(entry.text(OwnProperties.PARENT))) {
            throw calls.unavailable(entry.name() + " has not the mark " + OwnProperties.PARENT + "=" + mark.get()
                    + ", which fairlead.parentMark of the connection's file asks for");
        }
        return entry;
    }

    private static DatasetName parent(DatasetName name) {
        return name.parent().orElseThrow();
    }

    private RuntimeException missing(DatasetName parent) {
        return calls.unavailable("the dataset " + parent
                + ", which volumes lie below, is not there; its pool may not be imported, or its name is another one");
    }
}
