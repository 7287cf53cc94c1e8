package dev.fairlead.adapter.local.directory.record;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds what is kept beside a volume. A volume of democratic-csi's has no record, and a field that makes no sense
 * counts as absent; fields that a later version wrote are kept.
 */
public record VolumeRecord(SortedMap<String, String> fields) {
    public static final VolumeRecord NONE = new VolumeRecord(Collections.emptySortedMap());

    private static final String NAME = "name";
    private static final String CAPACITY = "capacity";
    private static final String FROM_SNAPSHOT = "fromSnapshot";
    private static final String FROM_VOLUME = "fromVolume";
    private static final String NOTE = "note:";

    public VolumeRecord {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    public static VolumeRecord of(Birth birth) {
        SortedMap<String, String> fields = new TreeMap<>();
        fields.put(NAME, birth.request().name().value());
        switch (birth.request().content()) {
            case Content.Empty _, Content.Transferred _ -> {}
            case Content.OfSnapshot(NativeId id) -> fields.put(FROM_SNAPSHOT, id.value());
            case Content.OfVolume(NativeId id) -> fields.put(FROM_VOLUME, id.value());
        }
        fields.put(CAPACITY, Long.toString(birth.capacity().bytes()));
        birth.notes().forEach((key, value) -> fields.put(NOTE + key, value));
        return new VolumeRecord(fields);
    }

    public VolumeRecord with(Capacity capacity) {
        SortedMap<String, String> all = new TreeMap<>(fields);
        all.put(CAPACITY, Long.toString(capacity.bytes()));
        return new VolumeRecord(all);
    }

    public VolumeRecord noting(Map<String, String> notes) {
        SortedMap<String, String> all = new TreeMap<>(fields);
        notes.forEach((key, value) -> all.put(NOTE + key, value));
        return new VolumeRecord(all);
    }

    public Optional<CsiName> name() {
        return Optional.ofNullable(fields.get(NAME)).flatMap(CsiName::read);
    }

    public Optional<Capacity> capacity() {
        return Optional.ofNullable(fields.get(CAPACITY)).flatMap(Capacity::read);
    }

    public Content content() {
        return id(FROM_SNAPSHOT)
                .<Content>map(Content.OfSnapshot::new)
                .or(() -> id(FROM_VOLUME).map(Content.OfVolume::new))
                .orElse(Content.EMPTY);
    }

    private Optional<NativeId> id(String key) {
        return Optional.ofNullable(fields.get(key)).flatMap(NativeId::read);
    }

    public Map<String, String> notes() {
        Map<String, String> notes = new TreeMap<>();
        fields.tailMap(NOTE).forEach((key, value) -> {
            if (key.startsWith(NOTE)) {
                notes.put(key.substring(NOTE.length()), value);
            }
        });
        return notes;
    }
}
