package dev.fairlead.adapter.zfs.host;

import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What the store and the exporter of a connection tell each other, so that a filesystem is made, shared and read back
 * in one round trip: the properties that share it, and where it will be mounted. Nothing here has to be right: where it
 * is empty or out of date, more round trips come to the same end.
 */
public final class Births {
    /** Far more than are made at once; what nobody has asked for then is forgotten. */
    private static final int MOST = 1000;

    private final AtomicReference<Sharing> sharing = new AtomicReference<>(Sharing.NONE);

    /** Where the parents are mounted. */
    private final Map<DatasetName, String> above = new ConcurrentHashMap<>();

    private final Set<DatasetName> shared = ConcurrentHashMap.newKeySet();

    /** Datasets that are being shared, by the names of their shares. */
    private final Map<String, DatasetName> sharedNow = new ConcurrentHashMap<>();

    /** From now on filesystems are born shared like this. */
    public void share(Sharing how) {
        sharing.set(how);
    }

    /**
     * Does what shares a dataset, while no other one is being shared by the same name: neither would see the other
     * before it is there.
     */
    public <T> T alone(DatasetName name, ZfsHost host, Supplier<T> action) {
        Optional<String> foundBy = sharing.get().foundBy(name);
        DatasetName other = foundBy.map(key -> sharedNow.putIfAbsent(key, name)).orElse(null);
        if (other != null && !other.equals(name)) {
            throw host.notNow(name + " would be shared by the same name as " + other + ", which is being shared now");
        }
        try {
            return action.get();
        } finally {
            if (other == null) {
                foundBy.ifPresent(sharedNow::remove);
            }
        }
    }

    /** How filesystems are shared. */
    public Sharing sharing() {
        return sharing.get();
    }

    /** What shares a filesystem with such notes from its first moment. */
    public Map<String, String> sharing(DatasetName name, Map<String, String> notes) {
        return sharing.get().properties(name, notes);
    }

    /** What has to be read back beside a volume's own properties, so that {@link #made} can tell. */
    public List<String> asked() {
        List<String> asked = new ArrayList<>(sharing.get().keys());
        if (!asked.isEmpty()) {
            asked.add("mounted");
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
                .ifPresent(path -> name.parent().ifPresent(parent -> mounted(parent, path)));
        if (sharing.get().isDone(name, notes, properties)) {
            if (shared.size() >= MOST) {
                shared.clear();
            }
            shared.add(name);
        }
    }

    /** Where the parent of volumes is mounted. */
    public void mounted(DatasetName parent, String path) {
        above.put(parent, path);
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
