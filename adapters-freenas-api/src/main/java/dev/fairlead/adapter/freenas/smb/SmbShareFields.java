package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Makes the fields of shares as a release takes them: flat up to 25.04; since 25.10 with a purpose, which has options
 * of its own. Hosts can be named for the purpose {@code LEGACY_SHARE}, and since 25.10.1 for the usual one too.
 */
record SmbShareFields(TruenasRelease release) {
    static final String ALLOWED = "hostsallow";
    static final String DENIED = "hostsdeny";
    private static final String PURPOSE = "purpose";
    private static final String OPTIONS = "options";
    private static final String LEGACY = "LEGACY_SHARE";
    private static final String EXTERNAL = "EXTERNAL_SHARE";

    /** The fields that are a share's own since 25.10 too, by their names up to then; the others are options. */
    private static final List<String> OWN = List.of("browsable", "abe");

    /** The option that the box made up itself up to 25.04, and does not take. */
    private static final String MADE_BY_THE_BOX = "vuid";

    /** The options that may be sent back as they were read; a box of tomorrow may show others. */
    private static final Set<String> KNOWN = Set.of(
            "aapl_name_mangling",
            "acl",
            "afp",
            "auto_dataset_creation",
            "auto_quota",
            "auto_snapshot",
            "auxsmbconf",
            "dataset_naming_schema",
            "durablehandle",
            "fsrvp",
            "grace_period",
            "guestok",
            "home",
            "path_suffix",
            "recyclebin",
            "shadowcopy",
            "streams",
            "timemachine",
            "timemachine_quota",
            "vuid");

    /** The fields that were a share's beside the options, by their names up to 25.04 and by those since. */
    private static final List<String> COPIED = List.of(
            "comment", "purpose", "ro", "abe", "readonly", "browsable", "access_based_share_enumeration", "audit");

    private boolean isFlat() {
        return release.isCore() || !release.isAtLeast(25, 10);
    }

    /** Returns the fields of a share that is about to be made, without who may reach it. */
    JsonObject created(String name, String path, String comment, JsonObject configured) {
        var fields = new JsonObject();
        if (isFlat()) {
            configured.asMap().forEach(fields::add);
        } else {
            var options = new JsonObject();
            configured.asMap().forEach((key, value) -> {
                if (!OWN.contains(key)) {
                    options.add(key, value);
                } else {
                    fields.add(key.equals("abe") ? "access_based_share_enumeration" : key, value);
                }
            });
            boolean legacy = !options.isEmpty() || !release.isAtLeast(25, 10, 1);
            addPurpose(fields, options, legacy ? LEGACY : "DEFAULT_SHARE");
        }
        fields.addProperty("name", name);
        fields.addProperty("path", path);
        fields.addProperty("comment", comment);
        return fields;
    }

    private static void addPurpose(JsonObject fields, JsonObject options, String purpose) {
        options.addProperty(PURPOSE, purpose);
        fields.addProperty(PURPOSE, purpose);
        fields.add(OPTIONS, options);
    }

    /** Adds who may reach a share to its fields. */
    JsonObject withHosts(JsonObject fields, boolean enabled, Collection<String> allowed, Collection<String> denied) {
        JsonObject with = fields.deepCopy();
        with.addProperty("enabled", enabled);
        JsonObject holder = isFlat() ? with : with.getAsJsonObject(OPTIONS);
        holder.add(ALLOWED, texts(allowed));
        holder.add(DENIED, texts(denied));
        return with;
    }

    /**
     * Returns the fields by which a share gets other hosts and stays what it is otherwise. Name and path are among
     * them, so that another share that has its number by now does not begin to let these hosts in.
     */
    JsonObject updated(SmbShareEntry share, boolean enabled, Collection<String> allowed, Collection<String> denied) {
        var fields = new JsonObject();
        fields.addProperty("name", share.name());
        fields.addProperty("path", share.path());
        if (!isFlat()) {
            boolean takesHosts = share.purpose().equals(LEGACY)
                    || (release.isAtLeast(25, 10, 1) && !share.purpose().equals(EXTERNAL));
            var options = new JsonObject();
            if (takesHosts) {
                share.options().asMap().forEach((key, value) -> {
                    if (KNOWN.contains(key) && isSet(value)) {
                        options.add(key, value);
                    }
                });
            }
            addPurpose(fields, options, takesHosts ? share.purpose() : LEGACY);
        }
        return withHosts(fields, enabled, allowed, denied);
    }

    /** Returns the fields of a share that takes the place of this one: off, and otherwise as this one is. */
    JsonObject like(SmbShareEntry share) {
        JsonObject like = updated(share, false, List.of(), List.of());
        JsonObject fields = share.fields();
        COPIED.stream()
                .filter(key -> fields.has(key) && !fields.get(key).isJsonNull() && !like.has(key))
                .forEach(key -> like.add(key, fields.get(key)));
        if (isFlat()) {
            KNOWN.stream()
                    .filter(key -> fields.has(key) && isSet(fields.get(key)) && !MADE_BY_THE_BOX.equals(key))
                    .forEach(key -> like.add(key, fields.get(key)));
        }
        return like;
    }

    /**
     * Says whether an option is set: releases up to 25.04 show an empty text for one that is not, and later ones refuse
     * it.
     */
    private static boolean isSet(JsonElement value) {
        return !value.isJsonNull()
                && !(value.isJsonPrimitive() && value.getAsString().isEmpty());
    }

    private static JsonArray texts(Collection<String> values) {
        var array = new JsonArray();
        values.forEach(array::add);
        return array;
    }
}
