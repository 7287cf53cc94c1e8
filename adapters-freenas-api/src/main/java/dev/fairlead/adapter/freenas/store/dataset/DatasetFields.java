package dev.fairlead.adapter.freenas.store.dataset;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.PropertyForm;
import dev.fairlead.zfs.property.PropertyParts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Turns properties of ZFS into fields of the API and back: the API has other names for some, upper-case words, numbers
 * of bytes as numbers, and user properties in a list.
 */
public final class DatasetFields {
    private static final String OF_USER = "user_properties_update";

    /** The fields of the API that have another name than their property. */
    private static final Map<String, String> RENAMED = Map.of(
            "dedup", "deduplication",
            "special_small_blocks", "special_small_block_size",
            "org.freenas:description", "comments",
            "org.truenas:managedby", "managedby");

    private static final Set<String> SWITCH = Set.of("on", "off");

    /** The properties whose values are words, with those that the API has; ZFS takes more of some. */
    private static final Map<String, Set<String>> WORDS = Map.ofEntries(
            Map.entry("sync", Set.of("standard", "always", "disabled")),
            Map.entry("snapdev", Set.of("hidden", "visible")),
            Map.entry("compression", levels()),
            Map.entry("exec", SWITCH),
            Map.entry("snapdir", Set.of("disabled", "visible", "hidden")),
            Map.entry("dedup", Set.of("on", "verify", "off")),
            Map.entry(
                    "checksum",
                    Set.of("on", "off", "fletcher2", "fletcher4", "sha256", "sha512", "skein", "edonr", "blake3")),
            Map.entry("readonly", SWITCH),
            Map.entry("aclmode", Set.of("passthrough", "restricted", "discard")),
            Map.entry("acltype", Set.of("off", "nfsv4", "posix")),
            Map.entry("atime", SWITCH),
            // CORE has the last of these.
            Map.entry("casesensitivity", Set.of("sensitive", "insensitive", "mixed")));

    private static final String LEVELS = "off, on, lz4, lzjb, zle, gzip, gzip-1, gzip-9, zstd, zstd-1 to zstd-19, or"
            + " zstd-fast with or without -1 to -10, -20, -30 to -100, -500, -1000";

    private static final Set<String> NUMBERS =
            Set.of("quota", "refquota", "reservation", "refreservation", "volsize", "special_small_blocks", "copies");

    private static final Set<String> SIZES = Set.of("recordsize", "volblocksize");

    /** The properties that a zvol does not have. */
    private static final Set<String> OF_FILESYSTEMS = Set.of(
            "aclmode", "acltype", "atime", "casesensitivity", "quota", "refquota", "recordsize", "exec", "snapdir");

    private DatasetFields() {}

    private static Set<String> levels() {
        Set<String> levels =
                new TreeSet<>(Set.of("on", "off", "lz4", "lzjb", "zle", "gzip", "gzip-1", "gzip-9", "zstd"));
        IntStream.rangeClosed(1, 19).forEach(level -> levels.add("zstd-" + level));
        levels.add("zstd-fast");
        IntStream.rangeClosed(1, 10)
                .flatMap(level -> IntStream.of(level, 10 * level))
                .forEach(level -> levels.add("zstd-fast-" + level));
        levels.addAll(Set.of("zstd-fast-500", "zstd-fast-1000"));
        return levels;
    }

    /** Says whether the API can set a property: any user property, and some of ZFS' own. */
    public static boolean takes(String key) {
        String name = PropertyForm.name(key);
        return isUser(key) || WORDS.containsKey(name) || NUMBERS.contains(name) || SIZES.contains(name);
    }

    /** Says whether the property is one that only filesystems have. */
    public static boolean isOfFilesystems(String key) {
        return OF_FILESYSTEMS.contains(PropertyForm.name(key));
    }

    /** Returns the properties that the API can set of ZFS' own, for people. */
    public static Set<String> taken() {
        Set<String> all = new TreeSet<>(WORDS.keySet());
        all.addAll(NUMBERS);
        all.addAll(SIZES);
        return all;
    }

    /** Says whether the API has the word for a property; it has any value of one whose values are no words. */
    public static boolean hasWord(String key, String value) {
        String name = PropertyForm.name(key);
        return !WORDS.containsKey(name) || word(name, value).isPresent();
    }

    /** Returns the words that the API has for a property, for people. */
    public static String words(String key) {
        String name = PropertyForm.name(key);
        return name.equals("compression")
                ? LEVELS
                : String.join(", ", new TreeSet<>(WORDS.getOrDefault(name, Set.of())));
    }

    /** Returns the API's word for a value, or for what ZFS takes for the same. */
    private static Optional<String> word(String name, String value) {
        String plain = value.toLowerCase(Locale.ROOT);
        Set<String> words = WORDS.getOrDefault(name, Set.of());
        return words.contains(plain)
                ? Optional.of(plain)
                : PropertyForm.of(name, plain).stream().filter(words::contains).findFirst();
    }

    static boolean isUser(String key) {
        return key.contains(":");
    }

    /** Returns the property that a field of an entry shows. */
    static String property(String field) {
        return RENAMED.entrySet().stream()
                .filter(entry -> entry.getValue().equals(field))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(field);
    }

    /** Returns the fields of a dataset that is made with these properties. */
    public static JsonObject created(Map<String, String> properties) {
        return fields(properties, "user_properties");
    }

    /** Returns the fields of an update that sets these properties. */
    public static JsonObject updated(Map<String, String> properties) {
        return fields(properties, OF_USER);
    }

    /** Returns the same fields with user properties to remove. */
    public static JsonObject removing(JsonObject fields, List<String> keys) {
        JsonArray list = fields.has(OF_USER) ? fields.getAsJsonArray(OF_USER) : new JsonArray();
        keys.forEach(key -> {
            var property = new JsonObject();
            property.addProperty("key", key);
            property.addProperty("remove", true);
            list.add(property);
        });
        if (!list.isEmpty()) {
            fields.add(OF_USER, list);
        }
        return fields;
    }

    /** Returns the same fields that remove no user property but these. */
    static JsonObject removingOnly(JsonObject fields, Set<String> keys) {
        JsonObject rest = fields.deepCopy();
        var list = new JsonArray();
        rest.getAsJsonArray(OF_USER).forEach(each -> {
            JsonObject property = each.getAsJsonObject();
            if (!property.has("remove") || keys.contains(property.get("key").getAsString())) {
                list.add(property);
            }
        });
        rest.add(OF_USER, list);
        return rest;
    }

    private static JsonObject fields(Map<String, String> properties, String ofUser) {
        var fields = new JsonObject();
        var user = new JsonArray();
        PropertyParts.spread(properties).forEach((key, value) -> {
            String name = PropertyForm.name(key);
            if (RENAMED.containsKey(name) && isUser(name)) {
                fields.addProperty(RENAMED.getOrDefault(name, name), value);
            } else if (isUser(key)) {
                var property = new JsonObject();
                property.addProperty("key", key);
                property.addProperty("value", value);
                user.add(property);
            } else {
                fields.add(RENAMED.getOrDefault(name, name), value(name, value));
            }
        });
        if (!user.isEmpty()) {
            fields.add(ofUser, user);
        }
        return fields;
    }

    private static JsonElement value(String name, String value) {
        if (NUMBERS.contains(name)) {
            return number(name, value);
        }
        return new JsonPrimitive(
                SIZES.contains(name)
                        ? size(value)
                        : word(name, value).orElse(value).toUpperCase(Locale.ROOT));
    }

    /** Returns a number of bytes; a text that is none as it is, which the box refuses in its own words. */
    private static JsonElement number(String name, String value) {
        return bytes(name, value).<JsonElement>map(JsonPrimitive::new).orElseGet(() -> new JsonPrimitive(value));
    }

    private static Optional<Long> bytes(String name, String value) {
        Set<String> forms = name.equals("copies") ? Set.of(value) : PropertyForm.of(name, value);
        return forms.stream()
                .filter(form -> form.matches("[0-9]{1,18}|1[0-9]{18}"))
                .map(Long::valueOf)
                .findFirst();
    }

    /** Returns the size of a block or record as the API's choices have it, such as {@code 128K} or {@code 512}. */
    private static String size(String value) {
        long bytes = bytes("recordsize", value).orElse(0L);
        if (bytes < 1024 || bytes % 1024 != 0) {
            return value.toUpperCase(Locale.ROOT);
        }
        return bytes % (1 << 20) == 0 ? bytes / (1 << 20) + "M" : bytes / 1024 + "K";
    }

    /**
     * Returns the first property that reads back otherwise than it was set; empty if there is none. One of ZFS' own
     * that an entry does not show is not compared.
     */
    public static Optional<String> difference(Map<String, String> wanted, DatasetEntry entry) {
        return new TreeMap<>(PropertyParts.spread(wanted))
                .entrySet().stream()
                        .filter(each -> !isSo(each.getKey(), each.getValue(), entry))
                        .map(each -> each.getKey() + " was set, and reads back as "
                                + entry.text(each.getKey()).orElse("nothing"))
                        .findFirst();
    }

    private static boolean isSo(String key, String value, DatasetEntry entry) {
        if (isUser(key)) {
            return entry.own(key).filter(value::equals).isPresent();
        }
        String name = PropertyForm.name(key);
        Optional<Property> there = Optional.ofNullable(entry.rows().get(name));
        Set<String> forms = PropertyForm.of(name, value.toLowerCase(Locale.ROOT));
        return there.isEmpty()
                || forms.isEmpty()
                || SIZES.contains(name)
                || forms.contains(there.get().value().toLowerCase(Locale.ROOT));
    }
}
