package dev.fairlead.zfs.property;

import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.Notes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns a volume's notes into properties of its dataset, and back; uses democratic-csi's properties if there are any.
 */
public final class NoteProperties {
    private static final Map<String, String> NAMED = Map.of(
            Notes.CONTEXT_PREFIX + "provisioner_driver",
            PeerProperties.PROVISIONER_DRIVER,
            Notes.CONTEXT_PREFIX + "provisioner_driver_instance_id",
            PeerProperties.PROVISIONER_INSTANCE,
            Notes.ISCSI_TARGET,
            PeerProperties.ISCSI_ASSET,
            Notes.NVMEOF_SUBSYSTEM,
            PeerProperties.NVMEOF_ASSET,
            Access.GRANTS,
            OwnProperties.GRANTS);

    private NoteProperties() {}

    /** Returns the property that keeps a note. */
    public static String propertyOf(String note) {
        boolean shared = note.startsWith(Notes.CONTEXT_PREFIX)
                && ShareContext.holds(note.substring(Notes.CONTEXT_PREFIX.length()));
        return named(note).orElse(shared ? PeerProperties.SHARE_CONTEXT : OwnProperties.NOTES);
    }

    /** Returns notes as properties, in the order in which democratic-csi writes its own; Fairlead's come last. */
    public static Map<String, String> write(Map<String, String> notes) {
        Map<String, String> rest = new TreeMap<>(notes);
        Map<String, String> properties = new LinkedHashMap<>();
        take(rest, properties, Notes.CONTEXT_PREFIX + "provisioner_driver");
        take(rest, properties, Notes.CONTEXT_PREFIX + "provisioner_driver_instance_id");
        take(rest, properties, Notes.ISCSI_TARGET);
        take(rest, properties, Notes.NVMEOF_SUBSYSTEM);
        ShareContext.write(Notes.contextOf(rest)).ifPresent(json -> {
            properties.put(PeerProperties.SHARE_CONTEXT, json);
            Notes.contextOf(rest).keySet().stream()
                    .filter(ShareContext::holds)
                    .forEach(key -> rest.remove(Notes.CONTEXT_PREFIX + key));
        });
        PeerProperties.FREENAS_IDS.forEach(id -> take(rest, properties, Notes.FREENAS_PREFIX + id));
        take(rest, properties, Access.GRANTS);
        if (!rest.isEmpty()) {
            properties.put(OwnProperties.NOTES, OwnProperties.write(rest));
        }
        return properties;
    }

    private static void take(Map<String, String> from, Map<String, String> into, String note) {
        String value = from.remove(note);
        if (value != null) {
            named(note).ifPresent(property -> into.put(property, value));
        }
    }

    /** Returns the property that keeps this note and no other. */
    private static Optional<String> named(String note) {
        boolean freenas = note.startsWith(Notes.FREENAS_PREFIX)
                && PeerProperties.FREENAS_IDS.contains(note.substring(Notes.FREENAS_PREFIX.length()));
        return freenas
                ? Optional.of(PeerProperties.FREENAS_PREFIX + note.substring(Notes.FREENAS_PREFIX.length()))
                : Optional.ofNullable(NAMED.get(note));
    }

    /** @param written the values of a dataset's own properties, long ones perhaps in several parts */
    public static Map<String, String> read(Map<String, String> written) {
        Map<String, String> properties = PropertyParts.joined(written);
        Map<String, String> notes = new TreeMap<>(OwnProperties.read(properties.getOrDefault(OwnProperties.NOTES, "")));
        ShareContext.read(properties.getOrDefault(PeerProperties.SHARE_CONTEXT, ""))
                .map(Notes::ofContext)
                .ifPresent(notes::putAll);
        NAMED.forEach((note, property) -> put(notes, note, properties.get(property)));
        PeerProperties.FREENAS_IDS.forEach(
                id -> put(notes, Notes.FREENAS_PREFIX + id, properties.get(PeerProperties.FREENAS_PREFIX + id)));
        return notes;
    }

    private static void put(Map<String, String> notes, String note, @Nullable String value) {
        if (value != null) {
            notes.put(note, value);
        }
    }
}
