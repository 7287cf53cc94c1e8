package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Preface;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows the datasets that volumes lie below by more than their names: by the mark that the connection's file asks for,
 * or by the guid that each had when it was first met. A pool or parent that was made anew under its name is told by it.
 *
 * <p>It lasts as long as the connection's file stays as it is, whether the connection is open or not.
 */
public final class SeenParents {
    private static final String GUID = "guid";

    private final List<DatasetName> all;
    private final Optional<String> mark;
    private final Map<DatasetName, String> seen = new ConcurrentHashMap<>();

    /**
     * @param volumes those that volumes lie below
     * @param detached the one that detached snapshots lie below
     * @param mark what {@link OwnProperties#PARENT} of each has to be
     */
    public SeenParents(List<DatasetName> volumes, Optional<DatasetName> detached, Optional<String> mark) {
        this.all = new ArrayList<>(volumes);
        detached.ifPresent(all::add);
        this.mark = mark;
    }

    /** Those of a connection. */
    public static SeenParents of(Layout layout, Optional<String> mark) {
        return new SeenParents(layout.parents().all(), layout.detachedParent(), mark);
    }

    /** What is known and not known yet of the parents that a command works on or below. */
    record Known(SortedMap<DatasetName, String> asExpected, List<DatasetName> unseen, String property) {
        Preface preface(ZfsCommands zfs) {
            Preface preface = Preface.NONE;
            if (!asExpected.isEmpty()) {
                preface =
                        preface.expecting(zfs.values(asExpected.keySet(), property), List.copyOf(asExpected.values()));
            }
            return unseen.isEmpty() ? preface : preface.telling(zfs.getEach(unseen, List.of(GUID)));
        }
    }

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

    /** Remembers what a preface has told of parents that were not seen before; the rest of the words is returned. */
    String learn(Known known, String errors) {
        if (known.unseen().isEmpty()) {
            return errors;
        }
        StringBuilder rest = new StringBuilder();
        errors.lines()
                .filter(line -> !isOf(known.unseen(), line))
                .forEach(line -> rest.append(line).append('\n'));
        return rest.toString();
    }

    private boolean isOf(Collection<DatasetName> unseen, String line) {
        String[] fields = line.split("\t", -1);
        boolean told = fields.length == 4 && fields[1].equals(GUID);
        if (told) {
            unseen.stream()
                    .filter(name -> name.value().equals(fields[0]))
                    .forEach(name -> seen.putIfAbsent(name, fields[2]));
        }
        return told;
    }

    /** Whether a command on this target has shown that what is above it exists. */
    boolean haveSeenAbove(String target) {
        List<DatasetName> above =
                all.stream().filter(parent -> target.startsWith(parent + "/")).toList();
        return !above.isEmpty() && (mark.isPresent() || seen.keySet().containsAll(above));
    }

    boolean areMarked() {
        return mark.isPresent();
    }

    /** The parent that this lies below, if nothing has shown so far that it exists. */
    Optional<DatasetName> unseenAbove(String target) {
        return mark.isPresent()
                ? Optional.empty()
                : all.stream()
                        .filter(parent -> target.startsWith(parent + "/") && !seen.containsKey(parent))
                        .findFirst();
    }

    /** What is wrong with parents that are not as expected, in words. */
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
