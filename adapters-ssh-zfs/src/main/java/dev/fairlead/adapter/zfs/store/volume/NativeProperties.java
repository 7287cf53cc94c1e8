package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.PropertyForm;
import dev.fairlead.zfs.volume.BirthMarks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sets and compares the properties of ZFS itself that a copy must have. {@code zfs receive -o} only warns about one
 * that it could not set, and succeeds; so they are set again after the whole stream has arrived, and compared when they
 * are read back.
 *
 * @param wanted by their names; none of them is a user property
 */
public record NativeProperties(Map<String, String> wanted) {
    private static final String TEMPORARY = "temporary";
    private static final String ZERO = "0";
    private static final List<String> EITHER = List.of("off", "on");

    /**
     * The properties that ZFS accepts only when it makes a dataset; the encryption of a received one is fixed then too.
     */
    private static final Set<String> ONCE = Stream.concat(
                    BirthMarks.SET_ONCE.stream(), Stream.of("encryption", "keyformat", "keylocation", "pbkdf2iters"))
            .collect(Collectors.toUnmodifiableSet());

    /**
     * The sources of a value that is neither inherited nor ZFS's default; a mount option may replace one temporarily.
     */
    private static final List<String> SOURCES = List.of("local", "received", TEMPORARY, "-");

    /** The properties of which ZFS prints what a mounted filesystem has, with a source of its own if that differs. */
    private static final Set<String> MOUNT_OPTIONS =
            Set.of("atime", "relatime", "devices", "exec", "setuid", "readonly", "nbmand", "xattr");

    public static final NativeProperties NONE = new NativeProperties(Map.of());

    public NativeProperties {
        Map<String, String> named = new LinkedHashMap<>();
        wanted.forEach((key, value) -> named.put(PropertyForm.name(key), value.stripTrailing()));
        wanted = named;
    }

    /** Returns those among the properties that a dataset is made with. */
    public static NativeProperties of(Map<String, String> all) {
        Map<String, String> wanted = settable(all);
        wanted.keySet().removeIf(key -> key.contains(":"));
        return new NativeProperties(wanted);
    }

    /** Returns all properties but those that {@code zfs set} refuses on an existing dataset. */
    public static Map<String, String> settable(Map<String, String> all) {
        Map<String, String> some = new LinkedHashMap<>(all);
        some.keySet().removeIf(key -> ONCE.contains(PropertyForm.name(key)));
        return some;
    }

    public NativeProperties and(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(wanted);
        more.put(key, value);
        return new NativeProperties(more);
    }

    /**
     * Returns steps that set the properties and fail if they did not take effect; the mark that the volume is complete
     * comes after them.
     */
    public Steps set(ZfsCommands zfs, DatasetName name) {
        if (wanted.isEmpty()) {
            return new Steps();
        }
        List<Steps> looks = new ArrayList<>();
        wanted.forEach((key, value) -> looks.add(look(zfs, name.value(), key, value)));
        return new Steps().then(zfs.set(name.value(), wanted)).together(looks);
    }

    /** Returns a check on the storage host, the same as {@link #difference}. */
    private static Steps look(ZfsCommands zfs, String name, String key, String value) {
        Set<String> forms = PropertyForm.of(key, value);
        String complaint = complaint(key, value) + ", but ";
        if (MOUNT_OPTIONS.contains(key)) {
            return new Steps().expect(zfs.valuesAndSources(name, List.of(key)), texts(rows(forms)), complaint);
        }
        Steps steps = new Steps();
        if (!forms.isEmpty()) {
            steps.expect(zfs.value(name, key), texts(forms), complaint);
        } else if (PropertyForm.isNumber(key)) {
            steps.without(zfs.value(name, key), ZERO);
        }
        return isToldBySource(key, forms) ? steps.expect(zfs.source(name, key), texts(SOURCES), complaint) : steps;
    }

    /** Returns whether a property has to have a source of its own; a size that is 0 has none. */
    private static boolean isToldBySource(String key, Set<String> forms) {
        return forms.isEmpty() || !PropertyForm.isNumber(key);
    }

    /** Returns what ZFS may print of a mount option that was set: its value, a tab and its source. */
    private static List<String> rows(Set<String> forms) {
        List<String> rows = new ArrayList<>();
        for (String source : SOURCES) {
            Collection<String> values = source.equals(TEMPORARY) ? EITHER : forms;
            values.forEach(value -> rows.add(value + "\t" + source));
        }
        return rows;
    }

    private static String complaint(String key, String value) {
        return key + " is not " + Excerpt.of(value) + ", as it was asked for";
    }

    private static List<List<String>> texts(Collection<String> lines) {
        return lines.stream().map(List::of).toList();
    }

    /**
     * Returns whether a step that failed after the whole stream had arrived may succeed in a later call: it failed for
     * want of space, or because a copy's data is not compressed yet. What has arrived is kept for that.
     */
    public static boolean isRefusedForNow(StepsOutcome outcome) {
        return !outcome.succeeded()
                && (outcome.complaint() == Complaint.OUT_OF_SPACE
                        || outcome.complaint() == Complaint.SMALLER_THAN_USED);
    }

    /** Returns the properties to ask for, so that they can be compared. */
    public List<String> asked() {
        return List.copyOf(wanted.keySet());
    }

    /** Returns the first property that is not as it was asked for. */
    public Optional<String> difference(Map<String, Property> rows) {
        return wanted.entrySet().stream()
                .filter(entry -> Optional.ofNullable(rows.get(entry.getKey()))
                        .filter(there -> isSo(entry.getKey(), entry.getValue(), there))
                        .isEmpty())
                .map(entry -> complaint(entry.getKey(), entry.getValue()))
                .findFirst();
    }

    /**
     * Returns whether a property has its value, and has it by itself. Where ZFS chooses the form that it prints, it is
     * enough that a value was set.
     */
    private static boolean isSo(String key, String value, Property there) {
        Set<String> forms = PropertyForm.of(key, value);
        if (MOUNT_OPTIONS.contains(key)) {
            return rows(forms).contains(there.value() + "\t" + there.source());
        }
        boolean has = forms.isEmpty()
                ? !(PropertyForm.isNumber(key) && there.value().equals(ZERO))
                : forms.contains(there.value());
        return has && (!isToldBySource(key, forms) || (there.isSet() && SOURCES.contains(there.source())));
    }
}
