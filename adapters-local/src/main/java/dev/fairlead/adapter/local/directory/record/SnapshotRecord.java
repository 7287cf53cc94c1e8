package dev.fairlead.adapter.local.directory.record;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Holds what is kept beside a snapshot.
 *
 * @param created the time, fixed when the snapshot is taken, so that a repeated call returns the same
 * @param group the group that it was taken with, if any, without whose {@link GroupRecord} it is hidden
 */
public record SnapshotRecord(CsiName name, NativeId source, Capacity size, Instant created, Optional<NativeId> group) {
    private static final String NAME = "name";
    private static final String SOURCE = "source";
    private static final String SIZE = "size";
    private static final String CREATED = "created";
    private static final String GROUP = "group";

    /** Returns the record if all its fields make sense; a snapshot whose record does not counts as democratic-csi's. */
    public static Optional<SnapshotRecord> of(Map<String, String> fields) {
        Optional<NativeId> group = read(fields, GROUP, GroupRecord::id);
        if (fields.containsKey(GROUP) && group.isEmpty()) {
            return Optional.empty();
        }
        return read(fields, NAME, CsiName::read)
                .flatMap(name -> read(fields, SOURCE, NativeId::read)
                        .flatMap(source -> read(fields, SIZE, Capacity::read)
                                .flatMap(size -> read(fields, CREATED, SnapshotRecord::instant)
                                        .map(created -> new SnapshotRecord(name, source, size, created, group)))));
    }

    private static <T> Optional<T> read(Map<String, String> fields, String key, Function<String, Optional<T>> reading) {
        return Optional.ofNullable(fields.get(key)).flatMap(reading);
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** Returns whether it was taken with a group. */
    public boolean isMember() {
        return group.isPresent();
    }

    public SortedMap<String, String> fields() {
        SortedMap<String, String> fields = new TreeMap<>(Map.of(
                NAME, name.value(),
                SOURCE, source.value(),
                SIZE, Long.toString(size.bytes()),
                CREATED, created.toString()));
        group.ifPresent(id -> fields.put(GROUP, id.value()));
        return fields;
    }

    public StoredSnapshot stored(NativeId id) {
        return new StoredSnapshot(id, Optional.of(name), source, size, created, group);
    }
}
