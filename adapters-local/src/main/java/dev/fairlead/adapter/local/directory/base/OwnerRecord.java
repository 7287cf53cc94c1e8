package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.base.BaseMark;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the content of {@code .fairlead/owner}: the owner of a base folder, a random text {@code base} that identifies
 * the base, and {@code found: empty} if it was laid out in an empty folder.
 *
 * <p>The installation is the list of its CSI names, sorted, with commas between them. Fields that a later version wrote
 * are kept.
 */
record OwnerRecord(SortedMap<String, String> fields) {
    private static final String BASE = "base";
    private static final String FOUND = "found";
    private static final String EMPTY = "empty";

    OwnerRecord {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    static OwnerRecord of(ConnectionScope scope, String base) {
        return new OwnerRecord(new TreeMap<>(Map.of(
                BaseMark.INSTALLATION,
                scope.installation(),
                BaseMark.CONNECTION,
                scope.name().value(),
                BASE,
                base)));
    }

    /** Returns the same for a base that may have been an unmounted mount point when it was laid out. */
    OwnerRecord foundEmpty() {
        SortedMap<String, String> all = new TreeMap<>(fields);
        all.put(FOUND, EMPTY);
        return new OwnerRecord(all);
    }

    OwnerRecord with(Map<String, String> more) {
        SortedMap<String, String> all = new TreeMap<>(fields);
        all.putAll(more);
        return new OwnerRecord(all);
    }

    /** Returns what tells this base from others, whoever owns it: the fields that no renewal of the mark changes. */
    SortedMap<String, String> identity() {
        SortedMap<String, String> all = new TreeMap<>(fields);
        all.keySet().retainAll(List.of(BASE, FOUND));
        return all;
    }

    boolean wasFoundEmpty() {
        return fields.getOrDefault(FOUND, "").equals(EMPTY);
    }

    private BaseMark mark() {
        return new BaseMark(fields);
    }

    String installation() {
        return mark().installation();
    }

    String connection() {
        return mark().connection();
    }

    /**
     * Returns whether the mark is this connection's; an installation that got or lost CSI names is the same as long as
     * one name stays.
     */
    boolean isOf(ConnectionScope scope) {
        return connection().equals(scope.name().value()) && mark().isOf(scope.installation());
    }

    /** Returns whether the mark says everything that a mark of this scope says now. */
    boolean isCurrent(ConnectionScope scope) {
        return installation().equals(scope.installation()) && fields.containsKey(BASE);
    }

    /** Returns the mark of the same base with the names of this scope. */
    OwnerRecord renewed(ConnectionScope scope, String base) {
        SortedMap<String, String> all = new TreeMap<>(fields);
        all.put(BaseMark.INSTALLATION, scope.installation());
        all.putIfAbsent(BASE, base);
        return new OwnerRecord(all);
    }

    /** Returns whether this can be a later version of another mark; older marks do not identify their base. */
    boolean mayBe(OwnerRecord before) {
        String was = before.fields.getOrDefault(BASE, "");
        return was.isEmpty() || was.equals(fields.getOrDefault(BASE, ""));
    }
}
