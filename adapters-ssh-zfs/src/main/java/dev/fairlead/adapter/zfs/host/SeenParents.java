package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Preface;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows the parents of volumes not only by their names but also by the mark that the connection's file asks for, or by
 * the guid that each had when it was first seen. So it notices a pool or parent that was made anew under the same name.
 *
 * <p>It is kept as long as the connection's file stays the same, whether the connection is open or not.
 */
public final class SeenParents {
    private static final String GUID = "guid";

    private final List<DatasetName> all;
    private final Optional<String> mark;
    private final Consumer<SeenParents> whenMet;
    private final Map<DatasetName, String> seen = new ConcurrentHashMap<>();

    /**
     * @param volumes the parents of volumes
     * @param detached the parent of detached snapshots
     * @param mark the value that {@link OwnProperties#PARENT} of each must have
     */
    public SeenParents(List<DatasetName> volumes, Optional<DatasetName> detached, Optional<String> mark) {
        this(volumes, detached, mark, _ -> {});
    }

    private SeenParents(
            List<DatasetName> volumes,
            Optional<DatasetName> detached,
            Optional<String> mark,
            Consumer<SeenParents> whenMet) {
        this.whenMet = whenMet;
        this.all = new ArrayList<>(volumes);
        detached.ifPresent(all::add);
        this.mark = mark;
    }

    /** Returns the parents of a connection. */
    public static SeenParents of(DatasetLayout layout, Optional<String> mark) {
        return of(layout, mark, _ -> {});
    }

    /** @param whenMet takes this whenever a parent is met that was not seen before */
    static SeenParents of(DatasetLayout layout, Optional<String> mark, Consumer<SeenParents> whenMet) {
        return new SeenParents(layout.parents().all(), layout.detachedParent(), mark, whenMet);
    }

    /** Holds what is known, and what is still unknown, of the parents that a command concerns. */
    record Known(SortedMap<DatasetName, String> asExpected, List<DatasetName> unseen, String property) {
        /** @param always whether the end is told of also if all steps have succeeded */
        Preface preface(ZfsCommands zfs, boolean always) {
            if (all().isEmpty()) {
                return Preface.NONE;
            }
            Preface preface = Preface.NONE.closing(zfs.getEach(all(), List.of(property)), always);
            if (!asExpected.isEmpty()) {
                preface =
                        preface.expecting(zfs.values(asExpected.keySet(), property), List.copyOf(asExpected.values()));
            }
            return unseen.isEmpty() ? preface : preface.telling(zfs.getEach(unseen, List.of(GUID)));
        }

        private List<DatasetName> all() {
            return Stream.concat(asExpected.keySet().stream(), unseen.stream()).toList();
        }
    }

    /**
     * Holds what a script has told of the parents beside the words of its steps.
     *
     * @param words what is left without that
     * @param standing those that were what they are known to be when the script ended
     * @param fallen those that were so before the first step, and of which the end did not tell it
     */
    record Told(String words, Set<DatasetName> standing, Set<DatasetName> fallen) {}

    Known of(String target) {
        SortedMap<DatasetName, String> expected = new TreeMap<>();
        List<DatasetName> unseen = new ArrayList<>();
        for (DatasetName parent : all) {
            if (concerns(target, parent)) {
                Optional<String> known = mark.or(() -> Optional.ofNullable(seen.get(parent)));
                known.ifPresentOrElse(text -> expected.put(parent, text), () -> unseen.add(parent));
            }
        }
        return new Known(expected, unseen, mark.isPresent() ? OwnProperties.PARENT : GUID);
    }

    private static boolean concerns(String target, DatasetName parent) {
        String name = parent.value();
        for (int at = target.indexOf(name); at >= 0; at = target.indexOf(name, at + 1)) {
            int end = at + name.length();
            if ((at == 0 || target.charAt(at - 1) == ' ')
                    && (end == target.length() || "/@ ".indexOf(target.charAt(end)) >= 0)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes what a script has told of the parents from its standard error, and remembers those that were not seen
     * before. What is known of one may come from another call: only this script's own end tells that it stands.
     */
    Told learn(Known known, String errors) {
        Map<DatasetName, String> identities = new HashMap<>(known.asExpected());
        Map<DatasetName, String> last = new HashMap<>();
        StringBuilder words = new StringBuilder();
        boolean closing = false;
        for (String line : errors.lines().toList()) {
            String[] fields = line.split("\t", -1);
            Optional<DatasetName> parent = parent(known, fields);
            if (line.equals(Preface.CLOSING)) {
                closing = true;
            } else if (parent.isEmpty()) {
                words.append(line).append('\n');
            } else if (closing) {
                last.put(parent.get(), fields[2]);
            } else {
                if (seen.putIfAbsent(parent.get(), fields[2]) == null) {
                    whenMet.accept(this);
                }
                identities.put(parent.get(), seen.getOrDefault(parent.get(), fields[2]));
            }
        }
        Map<Boolean, Set<DatasetName>> told = identities.entrySet().stream()
                .collect(Collectors.partitioningBy(
                        parent -> parent.getValue().equals(last.get(parent.getKey())),
                        Collectors.mapping(Map.Entry::getKey, Collectors.toUnmodifiableSet())));
        return new Told(words.toString(), told.getOrDefault(true, Set.of()), told.getOrDefault(false, Set.of()));
    }

    private static Optional<DatasetName> parent(Known known, String[] fields) {
        return fields.length == 4 && fields[1].equals(known.property())
                ? known.all().stream()
                        .filter(name -> name.value().equals(fields[0]))
                        .findFirst()
                : Optional.empty();
    }

    /** Returns the parents below which a dataset lies. */
    List<DatasetName> above(String target) {
        return all.stream().filter(parent -> target.startsWith(parent + "/")).toList();
    }

    boolean areMarked() {
        return mark.isPresent();
    }

    /** Returns a text that says what is wrong with parents that are not as expected. */
    String difference(Collection<DatasetName> different) {
        return different
                + (mark.isPresent()
                        ? " is not the parent with the property " + OwnProperties.PARENT + "=" + mark.get()
                                + " that fairlead.parentMark asks for: its pool is away, or it or its pool was made anew. If it"
                                + " is to be used, let 'zfs set' give it that property"
                        : " is not the dataset that was met before under this name: it or its pool was made anew, or another"
                                + " pool is imported. It is used again once it is back; if it was replaced for good, restart"
                                + " the driver, or change the connection's file");
    }
}
