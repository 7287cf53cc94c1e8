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

/**
 * What the store and the exporter of a connection tell each other, so that a filesystem is made, shared and read back
 * in one round trip: the properties that share it, and where it will be mounted. Nothing here has to be right: where it
 * is empty or out of date, more round trips come to the same end.
 */
public final class Births {
    private static final String MOUNTED = "mounted";

    /** Far more than are made at once; what nobody has asked for then is forgotten. */
    private static final int MOST = 1000;

    private final AtomicReference<Map<String, String>> sharing = new AtomicReference<>(Map.of());
    private final AtomicReference<Optional<String>> above = new AtomicReference<>(Optional.empty());
    private final Set<DatasetName> shared = ConcurrentHashMap.newKeySet();

    /** From now on filesystems are born with these properties, which share them. */
    public void share(Map<String, String> properties) {
        sharing.set(Map.copyOf(properties));
    }

    /** What shares a filesystem from its first moment. */
    public Map<String, String> sharing() {
        return sharing.get();
    }

    /** What has to be read back beside a volume's own properties, so that {@link #made} can tell. */
    public List<String> asked() {
        List<String> asked = new ArrayList<>(sharing().keySet());
        if (!asked.isEmpty()) {
            asked.add(MOUNTED);
        }
        return asked;
    }

    /** A filesystem was just made, without any complaint, and reads back like this. */
    public void made(DatasetName name, Map<String, Property> properties, Optional<String> mountpoint) {
        mountpoint
                .filter(path -> path.endsWith("/" + name.leaf()))
                .map(path -> path.substring(0, path.length() - name.leaf().length() - 1))
                .filter(path -> !path.isEmpty())
                .ifPresent(path -> above.set(Optional.of(path)));
        if (!sharing().isEmpty() && isShared(properties)) {
            if (shared.size() >= MOST) {
                shared.clear();
            }
            shared.add(name);
        }
    }

    private boolean isShared(Map<String, Property> properties) {
        return text(properties, MOUNTED).equals("yes")
                && sharing().entrySet().stream()
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
        return above.get().map(parent -> parent + "/" + name.leaf());
    }

    /** It is mounted elsewhere by now. */
    public void forgetMountpoint() {
        above.set(Optional.empty());
    }
}
