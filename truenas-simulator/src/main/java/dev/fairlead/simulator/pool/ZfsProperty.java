package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A property of ZFS that can be set, under the vendor's name.
 *
 * @param api the vendor's name of it
 * @param zfs ZFS' own name of it
 * @param fallback its raw value where nobody set one
 */
public record ZfsProperty(String api, String zfs, String fallback, Kind kind, Owner owner) {
    /** Says how its value reads, and whether children take it over. */
    public enum Kind {
        WORD,
        SWITCH,
        LIMIT,
        SIZE,
        NUMBER
    }

    /** Says which type of dataset has it. */
    public enum Owner {
        BOTH,
        FILESYSTEM,
        VOLUME
    }

    /** All of them. */
    public static final List<ZfsProperty> ALL = List.of(
            new ZfsProperty("deduplication", "dedup", "off", Kind.WORD, Owner.BOTH),
            new ZfsProperty("checksum", "checksum", "on", Kind.WORD, Owner.BOTH),
            new ZfsProperty("compression", "compression", "lz4", Kind.WORD, Owner.BOTH),
            new ZfsProperty("copies", "copies", "1", Kind.NUMBER, Owner.BOTH),
            new ZfsProperty("readonly", "readonly", "off", Kind.SWITCH, Owner.BOTH),
            new ZfsProperty("sync", "sync", "standard", Kind.WORD, Owner.BOTH),
            new ZfsProperty("snapdev", "snapdev", "hidden", Kind.WORD, Owner.BOTH),
            new ZfsProperty("special_small_block_size", "special_small_blocks", "0", Kind.NUMBER, Owner.FILESYSTEM),
            new ZfsProperty("reservation", "reservation", "0", Kind.LIMIT, Owner.BOTH),
            new ZfsProperty("refreservation", "refreservation", "0", Kind.LIMIT, Owner.BOTH),
            new ZfsProperty("quota", "quota", "0", Kind.LIMIT, Owner.FILESYSTEM),
            new ZfsProperty("refquota", "refquota", "0", Kind.LIMIT, Owner.FILESYSTEM),
            new ZfsProperty("aclmode", "aclmode", "discard", Kind.WORD, Owner.FILESYSTEM),
            new ZfsProperty("acltype", "acltype", "posix", Kind.WORD, Owner.FILESYSTEM),
            new ZfsProperty("xattr", "xattr", "sa", Kind.WORD, Owner.FILESYSTEM),
            new ZfsProperty("atime", "atime", "off", Kind.SWITCH, Owner.FILESYSTEM),
            new ZfsProperty("exec", "exec", "on", Kind.SWITCH, Owner.FILESYSTEM),
            new ZfsProperty("snapdir", "snapdir", "hidden", Kind.WORD, Owner.FILESYSTEM),
            new ZfsProperty("casesensitivity", "casesensitivity", "sensitive", Kind.WORD, Owner.FILESYSTEM),
            new ZfsProperty("recordsize", "recordsize", "131072", Kind.SIZE, Owner.FILESYSTEM),
            new ZfsProperty("volsize", "volsize", "0", Kind.NUMBER, Owner.VOLUME),
            new ZfsProperty("volblocksize", "volblocksize", "16384", Kind.SIZE, Owner.VOLUME));

    /** The names of what the vendor keeps in user properties of its own. */
    static final Map<String, String> KEPT_AS_USER_PROPERTIES = Map.of(
            "comments", "org.freenas:description",
            "managedby", "org.truenas:managedby",
            "quota_warning", "org.freenas:quota_warning",
            "quota_critical", "org.freenas:quota_critical",
            "refquota_warning", "org.freenas:refquota_warning",
            "refquota_critical", "org.freenas:refquota_critical");

    static Optional<ZfsProperty> ofApi(String name) {
        return ALL.stream().filter(property -> property.api.equals(name)).findFirst();
    }

    /** Finds one by ZFS' own name. */
    public static Optional<ZfsProperty> ofZfs(String name) {
        return ALL.stream().filter(property -> property.zfs.equals(name)).findFirst();
    }

    /** Says whether volumes, or filesystems, have it. */
    public boolean of(boolean volume) {
        return owner == Owner.BOTH || (owner == Owner.VOLUME) == volume;
    }

    boolean inheritable() {
        return kind != Kind.LIMIT && owner != Owner.VOLUME && !zfs.equals("casesensitivity");
    }

    /** Turns a value of a payload into a raw one; absent means that it is not set here. */
    Optional<String> raw(JsonElement given) {
        if (given.isJsonNull()) return Optional.of("0");
        String text = given.getAsString();
        if (text.equals("INHERIT")) return Optional.empty();
        if (kind == Kind.SIZE) return Optional.of(Long.toString(bytes(text)));
        return Optional.of(text.toLowerCase(Locale.ROOT));
    }

    JsonObject shown(String raw, String source, JsonElement from) {
        return switch (kind) {
            case WORD -> entry(raw, raw, raw.toUpperCase(Locale.ROOT), source, from);
            case SWITCH -> entry(raw.equals("on"), raw, raw.toUpperCase(Locale.ROOT), source, from);
            case LIMIT ->
                raw.equals("0")
                        ? entry(JsonNull.INSTANCE, raw, JsonNull.INSTANCE, source, from)
                        : entry(Long.parseLong(raw), raw, human(Long.parseLong(raw)), source, from);
            case NUMBER ->
                entry(Long.parseLong(raw), raw, zfs.equals("volsize") ? human(Long.parseLong(raw)) : raw, source, from);
            case SIZE -> entry(Long.parseLong(raw), raw, block(Long.parseLong(raw)), source, from);
        };
    }

    static JsonObject entry(Object parsed, String raw, Object value, String source, JsonElement from) {
        return JsonTools.object(
                "parsed", parsed, "rawvalue", raw, "value", value, "source", source, "source_info", from);
    }

    static JsonObject size(long bytes) {
        return entry(bytes, Long.toString(bytes), human(bytes), "NONE", JsonNull.INSTANCE);
    }

    /** Reads "128K", "1M" and plain bytes. */
    public static long bytes(String text) {
        String digits = text.replaceAll("[^0-9]", "");
        long number = digits.isEmpty() ? 0 : Long.parseLong(digits);
        if (text.endsWith("K")) return number << 10;
        if (text.endsWith("M")) return number << 20;
        return number;
    }

    static String human(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        String number = value == Math.rint(value)
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.2f", value).replaceFirst("0+$", "");
        return number + " " + units[unit];
    }

    private static String block(long bytes) {
        if (bytes < 1024) return bytes + "B";
        return bytes < 1L << 20 ? (bytes >> 10) + "K" : (bytes >> 20) + "M";
    }
}
