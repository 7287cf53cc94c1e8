package dev.fairlead.adapter.zfs.host;

import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers where the parents of volumes were last seen to be mounted, so that a volume's path is known before it is
 * made. None of it has to be right: if it is missing or out of date, more round trips come to the same end.
 */
public final class Mountpoints {
    private final Map<DatasetName, String> parents = new ConcurrentHashMap<>();

    /** Remembers where the parent of volumes is mounted. */
    public void seen(DatasetName parent, String path) {
        parents.put(parent, path);
    }

    /** Remembers where the parent of a volume is mounted that is mounted below it. */
    public void seenBelow(DatasetName volume, String path) {
        String end = "/" + volume.leaf();
        if (path.endsWith(end) && path.length() > end.length()) {
            volume.parent().ifPresent(parent -> seen(parent, path.substring(0, path.length() - end.length())));
        }
    }

    /** Tells where a volume will be mounted, if its parent still is where it was. */
    public Optional<String> expected(DatasetName volume) {
        return volume.parent().map(parents::get).map(path -> path + "/" + volume.leaf());
    }

    /** Forgets where the parent of this volume was mounted, since it is mounted elsewhere by now. */
    public void forget(DatasetName volume) {
        volume.parent().ifPresent(parents::remove);
    }
}
