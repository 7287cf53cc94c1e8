package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.fake.FakeDatasets.Node;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The forms in which a pool in memory keeps values, which are those that {@code zfs get -p} prints. */
final class FakeValues {
    private static final Set<String> SIZES = Set.of("quota", "refquota", "reservation", "refreservation", "recordsize");

    private static final Map<String, String> WORDS = Map.of(
            "compression=gzip-6", "gzip",
            "acltype=posixacl", "posix",
            "acltype=noacl", "off",
            "aclinherit=secure", "restricted",
            "xattr=dir", "on");

    private FakeValues() {}

    /**
     * What {@code zfs create -V} sets: without a word on it, it sets the size aside; what it adds to that is left out.
     */
    static Map<String, String> reserved(Map<String, String> options) {
        Map<String, String> all = new TreeMap<>(options);
        Optional.ofNullable(options.get("volsize")).ifPresent(size -> all.putIfAbsent("refreservation", size));
        return all;
    }

    static void keep(Node node, Map<String, String> wanted) {
        wanted.forEach((key, value) -> node.own().put(key, kept(key, value)));
    }

    static String kept(String key, String value) {
        if (!SIZES.contains(key)) {
            return WORDS.getOrDefault(key + "=" + value, value);
        }
        if (value.equals("none")) {
            return "0";
        }
        int unit = "KMG".indexOf(value.charAt(value.length() - 1));
        return unit < 0
                ? value
                : Long.toString(Long.parseLong(value.substring(0, value.length() - 1)) << (10 * (unit + 1)));
    }
}
