package dev.fairlead.adapter.freenas.store.create;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.PropertyForm;
import dev.fairlead.zfs.property.PropertyParts;
import dev.fairlead.zfs.volume.BirthMarks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Makes the properties of a volume that is about to be made, and the fields by which the API sets them. */
record BirthFields(FreenasStoreSettings settings, BirthMarks marks) {
    private static final Set<String> RESERVATIONS = Set.of("reservation", "refreservation");

    /**
     * Says whether a box may make a dataset without its user properties. A release beyond all that are known may; the
     * later patches of an older one do not.
     */
    static boolean dropsMarks(TruenasRelease release) {
        return (release.isUnknown() && release.system().major() >= 26)
                || (release.isAtLeast(26, 0)
                        && !release.isAtLeast(26, 1)
                        && release.api().stage() == TruenasVersion.Stage.BETA);
    }

    /** Returns the fields of the call that makes the dataset. */
    JsonObject fields(Birth birth, Map<String, String> all) {
        Map<String, String> settable = new LinkedHashMap<>(all);
        boolean block = settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE;
        boolean sparse = block && "0".equals(settable.get("refreservation"));
        if (sparse) {
            settable.remove("refreservation");
        }
        JsonObject fields = DatasetFields.created(settable);
        fields.addProperty("type", block ? "VOLUME" : "FILESYSTEM");
        fields.addProperty("share_type", birth.bornWith().getOrDefault("share_type", "GENERIC"));
        if (block) {
            fields.add("volsize", new JsonPrimitive(birth.capacity().bytes()));
            fields.addProperty("sparse", sparse);
        }
        return fields;
    }

    /**
     * Says whether a box is to keep room for the volume. One may refuse that after it has made the dataset with all the
     * rest, so such a volume is marked whole after it was made.
     */
    boolean reserves(Map<String, String> all) {
        return (settings.isBlock() && settings.zfs().thick())
                || all.entrySet().stream()
                        .anyMatch(each -> isReserved(PropertyForm.name(each.getKey()), each.getValue()));
    }

    private static boolean isReserved(String name, String value) {
        return RESERVATIONS.contains(name) && !PropertyForm.of(name, value).contains("0");
    }

    /** Returns all properties of the volume but those that say that it is complete. */
    Map<String, String> properties(Birth birth, boolean isClone) {
        Map<String, String> all =
                new LinkedHashMap<>(isClone ? marks.cloned(birth, Map.of()) : marks.created(birth, Map.of()));
        if (isClone && settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE) {
            all.put("volsize", Long.toString(birth.capacity().bytes()));
        }
        return all;
    }

    /** Returns the user properties among these, long ones in parts. */
    static Map<String, String> ofUser(Map<String, String> all) {
        Map<String, String> user = new LinkedHashMap<>(PropertyParts.spread(all));
        user.keySet().removeIf(key -> !key.contains(":"));
        return user;
    }

    /** Returns these properties and that of a note. */
    static Map<String, String> with(Map<String, String> all, Map<String, String> note) {
        Map<String, String> both = new LinkedHashMap<>(all);
        both.putAll(note);
        return both;
    }

    /** Returns the marks of a complete volume, democratic-csi's own among them if nothing is left to be noted. */
    static Map<String, String> done(Map<String, String> all) {
        Map<String, String> done = new LinkedHashMap<>();
        if (all.containsKey(PeerProperties.SHARE_CONTEXT)) {
            done.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        }
        done.put(OwnProperties.STATE, OwnProperties.WHOLE);
        return done;
    }
}
