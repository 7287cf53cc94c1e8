package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Rows.Property;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The properties of ZFS itself that a copy is to have. {@code zfs receive -o} says no more than a warning of one that
 * it could not set, and succeeds; so they are set again once all of the stream is there, and compared when they are
 * read back.
 *
 * @param wanted by their names; none of them is a user property
 */
record NativeProperties(Map<String, String> wanted) {
    private static final Set<String> SIZES =
            Set.of("quota", "refquota", "reservation", "refreservation", "volsize", "recordsize");

    /** ZFS takes these only where a dataset is made; the encryption of a received one is that of its birth too. */
    private static final Set<String> ONCE = Stream.concat(
                    BirthProperties.SET_ONCE.stream(),
                    Stream.of("encryption", "keyformat", "keylocation", "pbkdf2iters"))
            .collect(Collectors.toUnmodifiableSet());

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    static final NativeProperties NONE = new NativeProperties(Map.of());

    NativeProperties {
        wanted = new LinkedHashMap<>(wanted);
    }

    /** Those among the properties that a dataset is made with. */
    static NativeProperties of(Map<String, String> all) {
        Map<String, String> wanted = settable(all);
        wanted.keySet().removeIf(key -> key.contains(":"));
        return new NativeProperties(wanted);
    }

    /** All but those that {@code zfs set} refuses on a dataset that is there. */
    static Map<String, String> settable(Map<String, String> all) {
        Map<String, String> some = new LinkedHashMap<>(all);
        some.keySet().removeAll(ONCE);
        return some;
    }

    NativeProperties and(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(wanted);
        more.put(key, value);
        return new NativeProperties(more);
    }

    Steps set(ZfsCommands zfs, DatasetName name) {
        return wanted.isEmpty() ? new Steps() : new Steps().then(zfs.set(name.value(), wanted));
    }

    /** What has to be asked for so that they can be compared. */
    List<String> asked() {
        return List.copyOf(wanted.keySet());
    }

    /** The first that is not as it was asked for. */
    Optional<String> difference(Map<String, Property> rows) {
        return wanted.entrySet().stream()
                .filter(entry -> Optional.ofNullable(rows.get(entry.getKey()))
                        .filter(there -> isSo(entry.getKey(), entry.getValue(), there))
                        .isEmpty())
                .map(entry -> entry.getKey() + " is not " + entry.getValue() + ", as it was asked for")
                .findFirst();
    }

    /** Many a value reads back in other words, such as {@code 1G} or {@code gzip-6}; it is the dataset's own then. */
    private static boolean isSo(String key, String value, Property there) {
        boolean bytes = SIZES.contains(key) && DIGITS.matcher(value).matches();
        boolean none =
                SIZES.contains(key) && value.equals("none") && there.value().equals("0");
        return there.value().equals(value) || none || (!bytes && there.isOwn());
    }
}
