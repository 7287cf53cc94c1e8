package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Rows.Property;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/**
 * What the store and the exporter of a connection tell each other, so that a filesystem is made, shared and read back
 * in one round trip: the properties that share it, and where it will be mounted. Nothing here has to be right: where it
 * is empty or out of date, more round trips come to the same end.
 */
public final class Births {
    private static final String MOUNTED = "mounted";

    /** Far more than are made at once; what nobody has asked for then is forgotten. */
    private static final int MOST = 1000;

    private final AtomicReference<Sharing> sharing = new AtomicReference<>(new Sharing(Set.of(), (_, _) -> Map.of()));
    /** Where the parents are mounted. */
    private final Map<DatasetName, String> above = new ConcurrentHashMap<>();

    private final Set<DatasetName> shared = ConcurrentHashMap.newKeySet();

    private record Sharing(Set<String> keys, BiFunction<DatasetName, Map<String, String>, Map<String, String>> of) {}

    /**
     * From now on filesystems are born with properties that share them.
     *
     * @param keys all that they may be
     * @param of the properties of a dataset by the notes of its volume, which may say that it is closed
     */
    public void share(Set<String> keys, BiFunction<DatasetName, Map<String, String>, Map<String, String>> of) {
        sharing.set(new Sharing(Set.copyOf(keys), of));
    }

    /** What shares a filesystem with such notes from its first moment. */
    public Map<String, String> sharing(DatasetName name, Map<String, String> notes) {
        return sharing.get().of().apply(name, notes);
    }

    /** What has to be read back beside a volume's own properties, so that {@link #made} can tell. */
    public List<String> asked() {
        List<String> asked = new ArrayList<>(sharing.get().keys());
        if (!asked.isEmpty()) {
            asked.add(MOUNTED);
        }
        return asked;
    }

    /**
     * A filesystem was just made, without any complaint, and reads back like this.
     *
     * @param notes those that it was born with
     */
    public void made(
            DatasetName name,
            Map<String, String> notes,
            Map<String, Property> properties,
            Optional<String> mountpoint) {
        mountpoint
                .filter(path -> path.endsWith("/" + name.leaf()))
                .map(path -> path.substring(0, path.length() - name.leaf().length() - 1))
                .filter(path -> !path.isEmpty())
                .ifPresent(path -> name.parent().ifPresent(parent -> above.put(parent, path)));
        Map<String, String> wanted = sharing(name, notes);
        if (!wanted.isEmpty() && isShared(wanted, properties)) {
            if (shared.size() >= MOST) {
                shared.clear();
            }
            shared.add(name);
        }
    }

    private static boolean isShared(Map<String, String> wanted, Map<String, Property> properties) {
        return text(properties, MOUNTED).equals("yes")
                && wanted.entrySet().stream()
                        .allMatch(entry -> entry.getValue().equals(text(properties, entry.getKey())));
    }

    private static String text(Map<String, Property> properties, String key) {
        Property property = properties.get(key);
        return property == null ? "" : property.value();
    }

    /** Whether it was seen to be mounted and shared when it was made; told once, since later it may not be so. */
    public boolean takeShared(DatasetName name) {
        return shared.remove(name);
    }

    /** Where a volume will be mounted, if the parent still is where it was when one was last made. */
    public Optional<String> expectedMountpoint(DatasetName name) {
        return name.parent().map(above::get).map(path -> path + "/" + name.leaf());
    }

    /** The parent of this volume is mounted elsewhere by now. */
    public void forgetMountpoint(DatasetName name) {
        name.parent().ifPresent(above::remove);
    }
}
