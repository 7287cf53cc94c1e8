package dev.fairlead.zfs.volume;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.property.MutableProperty;
import dev.fairlead.zfs.property.NoteProperties;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.PropertyForm;
import dev.fairlead.zfs.property.TransferredSource;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Chooses the properties with which a dataset is made, in democratic-csi's order: its marks, and those that the
 * connection's file and the class ask for.
 */
public record BirthMarks(ZfsSettings settings) {
    /**
     * The properties that can be set only when a dataset is made empty: a clone has them from its origin, a copy from
     * its stream.
     */
    public static final Set<String> SET_ONCE = Set.of("casesensitivity", "normalization", "utf8only", "volblocksize");

    /**
     * Returns the properties of a dataset that is made empty.
     *
     * @param sharing those that share it from its first moment
     */
    public Map<String, String> created(Birth birth, Map<String, String> sharing) {
        Map<String, String> all = shared(birth, sharing);
        if (birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE) {
            all.put("volblocksize", settings.blockSize().toString());
        }
        return all;
    }

    /** Returns the properties of a dataset that is made with content, as a clone or from a stream. */
    public Map<String, String> cloned(Birth birth, Map<String, String> sharing) {
        Map<String, String> all = shared(birth, sharing);
        all.keySet().removeIf(key -> SET_ONCE.contains(PropertyForm.name(key)));
        return all;
    }

    private Map<String, String> shared(Birth birth, Map<String, String> sharing) {
        Map<String, String> all = rendered(birth.request());
        all.putAll(marks(birth, sharing));
        return all;
    }

    /** Returns the properties of any dataset, whatever its content, without those of the connection's file. */
    public Map<String, String> marks(Birth birth, Map<String, String> sharing) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(PeerProperties.VOLUME_NAME, birth.request().name().value());
        all.put(PeerProperties.MANAGED, PeerProperties.TRUE);
        all.putAll(NoteProperties.write(noted(birth)));
        if (birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE) {
            block(all);
        } else {
            sized(all, birth);
            all.putAll(sharing);
        }
        // Last, since they take precedence over the class and the connection's own.
        all.putAll(
                MutableProperty.read(birth.request().mutable(), birth.medium().kind()));
        switch (birth.request().content()) {
            case Content.Empty _ -> {}
            case Content.OfSnapshot(var id) -> source(all, "snapshot", id.value());
            case Content.OfVolume(var id) -> source(all, "volume", id.value());
            case Content.Transferred content -> all.put(OwnProperties.SOURCE, TransferredSource.write(content));
        }
        return all;
    }

    /** Returns the notes of a volume, with its size if nothing on the dataset itself keeps that. */
    private Map<String, String> noted(Birth birth) {
        Map<String, String> notes = new TreeMap<>(birth.notes());
        if (birth.medium().kind() == VolumeMedium.Kind.FILESYSTEM && !settings.quota()) {
            notes.put(VolumeProperties.SIZE, Long.toString(birth.capacity().bytes()));
        }
        return notes;
    }

    private void block(Map<String, String> all) {
        if (!settings.thick()) {
            all.put("refreservation", "0");
        }
        settings.compression().ifPresent(value -> all.put("compression", value));
        settings.dedup().ifPresent(value -> all.put("dedup", value));
    }

    private void sized(Map<String, String> all, Birth birth) {
        String bytes = Long.toString(birth.capacity().bytes());
        if (settings.quota()) {
            all.put("refquota", bytes);
        }
        if (settings.reservation()) {
            all.put("refreservation", bytes);
        }
    }

    private static void source(Map<String, String> all, String type, String id) {
        all.put(PeerProperties.SOURCE_TYPE, type);
        all.put(PeerProperties.SOURCE_ID, id);
    }

    /** Returns the connection's own properties; they come first, so that none of them replaces a mark. */
    private Map<String, String> rendered(CreateRequest request) {
        Map<String, String> all = new LinkedHashMap<>();
        var context = Map.of("name", request.name().value(), "parameters", request.parameters());
        settings.datasetProperties().forEach((key, template) -> all.put(key, template.render(context)));
        return all;
    }
}
