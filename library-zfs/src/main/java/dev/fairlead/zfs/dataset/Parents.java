package dev.fairlead.zfs.dataset;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Holds the datasets that volumes lie directly below: the usual one, and those that a class may choose by a label.
 *
 * @param labelled the other parents by their labels
 */
public record Parents(DatasetName usual, Map<String, DatasetName> labelled) {
    /**
     * The character that ends the label in an id. No id below the usual parent can have it, nor can any id of
     * democratic-csi; it is allowed in the names of targets and datasets that contain ids.
     */
    public static final char END_OF_LABEL = '.';

    /** The longest label with which the name of a snapshot, shortened if need be, still fits into CSI's 128 bytes. */
    public static final int LONGEST_LABEL = 12;

    /** The form of a label, in lower case as the names of targets, so that two labels never give the same name. */
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0," + (LONGEST_LABEL - 2) + "}[a-z0-9])?");

    public Parents {
        SortedMap<String, DatasetName> sorted = new TreeMap<>(labelled);
        sorted.keySet().stream().filter(label -> !isLabel(label)).findFirst().ifPresent(label -> {
            throw new IllegalArgumentException("'" + label + "' is no label of a parent dataset");
        });
        labelled = Collections.unmodifiableSortedMap(sorted);
    }

    /** Returns the usual parent alone. */
    public static Parents only(DatasetName usual) {
        return new Parents(usual, Map.of());
    }

    /** Says whether a parent can have this label. */
    public static boolean isLabel(String text) {
        return LABEL.matcher(text).matches();
    }

    /** Returns all parents, the usual one first. */
    public List<DatasetName> all() {
        List<DatasetName> all = new ArrayList<>(labelled.size() + 1);
        all.add(usual);
        all.addAll(labelled.values());
        return all;
    }

    /** Returns what the ids of the volumes below a parent begin with; empty if it is no parent of this connection. */
    Optional<String> prefix(DatasetName parent) {
        return parent.equals(usual)
                ? Optional.of("")
                : labelled.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(parent))
                        .map(entry -> entry.getKey() + END_OF_LABEL)
                        .findFirst();
    }

    /**
     * Returns the parent whose label an id begins with, or the usual one if it has none; empty for an unknown label.
     */
    Optional<DatasetName> of(String id) {
        int end = id.indexOf(END_OF_LABEL);
        return end < 0 ? Optional.of(usual) : Optional.ofNullable(labelled.get(id.substring(0, end)));
    }
}
