package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
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

    /** Where a value is from that is neither inherited nor ZFS's own; a mount may have one for as long as it lasts. */
    private static final List<List<String>> SET =
            List.of(List.of("local"), List.of("received"), List.of("temporary"), List.of("-"));

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

    /** Sets them, and fails where they are not so then: the mark that all is there comes after it. */
    Steps set(ZfsCommands zfs, DatasetName name) {
        if (wanted.isEmpty()) {
            return new Steps();
        }
        List<Steps> looks = new ArrayList<>();
        wanted.forEach((key, value) -> looks.add(look(zfs, name.value(), key, value)));
        return new Steps().then(zfs.set(name.value(), wanted)).together(looks);
    }

    /** The same as {@link #difference}, on the storage host. */
    private static Steps look(ZfsCommands zfs, String name, String key, String value) {
        if (SIZES.contains(key) && value.equals("none")) {
            return new Steps().expect(zfs.value(name, key), List.of(List.of("0"), List.of(value)));
        }
        return SIZES.contains(key) && DIGITS.matcher(value).matches()
                ? new Steps().expect(zfs.value(name, key), List.of(List.of(value)))
                : new Steps().expect(zfs.source(name, key), SET);
    }

    /**
     * Whether what was refused once all of a stream was there may be possible by the next call: for want of room, or
     * for data that a copy has not compressed yet. What has come is kept for that.
     *
     * @param after the first step after the stream
     */
    static boolean isRefusedForNow(Outcome outcome, int after) {
        return outcome.failed().orElse(-1) >= after
                && (outcome.complaint() == Complaint.OUT_OF_SPACE
                        || outcome.complaint() == Complaint.SMALLER_THAN_USED);
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
