package dev.fairlead.adapter.zfs.host;

import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Lets one dataset at a time be shared by a name: of two that would have one, neither sees the other's share yet. */
public final class ShareTurns {
    private final Map<String, DatasetName> now = new ConcurrentHashMap<>();

    /** Runs an action that shares a dataset while no other one is being shared by the same name. */
    public <T> T alone(ShareProtocol protocol, DatasetName dataset, ZfsHost host, Supplier<T> action) {
        if (protocol == ShareProtocol.NFS) { // whose shares have no names but their paths
            return action.get();
        }
        String name = ShareNames.file(dataset);
        DatasetName other = now.putIfAbsent(name, dataset);
        if (other != null && !other.equals(dataset)) {
            throw host.notNow(
                    dataset + " would be shared by the same name as " + other + ", which is being shared now");
        }
        try {
            return action.get();
        } finally {
            if (other == null) {
                now.remove(name);
            }
        }
    }
}
