package dev.fairlead.zfs.property;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells in which forms {@code zfs get -p} prints a native property that was set to a value: sizes in bytes, and one of
 * the words that ZFS takes for the same.
 */
public final class PropertyForm {
    private static final Set<String> LIMITS = Set.of("filesystem_limit", "snapshot_limit");
    private static final Set<String> SIZES =
            Set.of("reservation", "refreservation", "volsize", "recordsize", "special_small_blocks");

    /** The names of all quotas, also those of one user, group or project. */
    private static final Pattern QUOTA = Pattern.compile("[a-z]*quota(@.*)?");

    private static final Pattern NUMBER =
            Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)(?:B|([KMGTPEZ])(?:I?B)?)?", Pattern.CASE_INSENSITIVE);

    private static final String UNITS = "KMGTPEZ";
    private static final String NONE = "none";

    /** The number that ZFS keeps for a limit that is none; older versions print it. */
    private static final String UNLIMITED = "18446744073709551615";

    /**
     * The words that ZFS keeps as the same, of which it prints one; which one differs between versions. What {@code on}
     * means for {@code xattr} differs too.
     */
    private static final Map<String, List<Set<String>>> SAME = Map.of(
            "acltype", List.of(Set.of("off", "disabled", "noacl"), Set.of("posix", "posixacl")),
            "aclinherit", List.of(Set.of("restricted", "secure")),
            "compression", List.of(Set.of("gzip", "gzip-6"), Set.of("zstd-fast", "zstd-fast-1")),
            "version", List.of(Set.of("current", "5")),
            "volmode", List.of(Set.of("full", "geom")),
            "xattr", List.of(Set.of("on", "dir"), Set.of("on", "sa")));

    /** The short names that ZFS takes for its properties, and never prints. */
    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("case", "casesensitivity"),
            Map.entry("compress", "compression"),
            Map.entry("dnsize", "dnodesize"),
            Map.entry("fslimit", "filesystem_limit"),
            Map.entry("rdonly", "readonly"),
            Map.entry("recsize", "recordsize"),
            Map.entry("redund_md", "redundant_metadata"),
            Map.entry("refreserv", "refreservation"),
            Map.entry("reserv", "reservation"),
            Map.entry("sslimit", "snapshot_limit"),
            Map.entry("volblock", "volblocksize"));

    private PropertyForm() {}

    /** Returns the name that ZFS prints for a property, which may be given by its short one. */
    public static String name(String key) {
        return SHORT.getOrDefault(key, key);
    }

    /** Returns whether ZFS keeps a number for it; where that is 0, its source says that it was not set. */
    public static boolean isNumber(String key) {
        return SIZES.contains(key) || LIMITS.contains(key) || QUOTA.matcher(key).matches();
    }

    /**
     * Returns all forms, in a fixed order; empty if they cannot be told from the value, as of {@code auto}, for which
     * ZFS computes a size, and of a path, before which it prints the alternate root of the pool.
     */
    public static Set<String> of(String key, String value) {
        if (isNumber(key)) {
            return number(key, value);
        }
        if (key.equals("mountpoint") && value.startsWith("/")) {
            return Set.of();
        }
        Set<String> forms = new TreeSet<>(Set.of(value));
        SAME.getOrDefault(key, List.of()).stream()
                .filter(words -> words.contains(value))
                .forEach(forms::addAll);
        return forms;
    }

    private static Set<String> number(String key, String value) {
        if (value.equals(NONE)) {
            return new TreeSet<>(Set.of(NONE, LIMITS.contains(key) ? UNLIMITED : "0"));
        }
        Matcher number = NUMBER.matcher(value);
        if (!number.matches()) {
            return Set.of();
        }
        int unit =
                number.group(2) == null ? 0 : 1 + UNITS.indexOf(number.group(2).toUpperCase(Locale.ROOT));
        BigDecimal bytes = new BigDecimal(number.group(1)).multiply(BigDecimal.TWO.pow(10 * unit));
        return Set.of(bytes.toBigInteger().toString());
    }
}
