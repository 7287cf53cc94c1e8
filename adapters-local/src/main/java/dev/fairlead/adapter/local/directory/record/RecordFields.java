package dev.fairlead.adapter.local.directory.record;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Reads typed values from a record's fields; a value that makes no sense counts as absent. */
final class RecordFields {
    private RecordFields() {}

    static Optional<CsiName> name(Map<String, String> fields, String key) {
        try {
            return Optional.ofNullable(fields.get(key)).map(CsiName::new);
        } catch (StorageException e) {
            return Optional.empty();
        }
    }

    static Optional<NativeId> id(Map<String, String> fields, String key) {
        return Optional.ofNullable(fields.get(key)).filter(NativeId::isValid).map(NativeId::new);
    }

    static Optional<Capacity> capacity(Map<String, String> fields, String key) {
        try {
            return Optional.ofNullable(fields.get(key))
                    .map(Long::parseLong)
                    .filter(bytes -> bytes >= 0)
                    .map(Capacity::ofBytes);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static Optional<Instant> instant(Map<String, String> fields, String key) {
        try {
            return Optional.ofNullable(fields.get(key)).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
