package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.settings.ParentSettings;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Opens connections to pools, and knows the parents of each again after it was closed while no call used it. */
public final class ZfsConnections {
    private final StorageHosts hosts;

    /**
     * The file of each connection by which a parent was met last. A version that never comes into force meets none, and
     * changes nothing here.
     */
    private final Map<ConnectionName, Met> met = new ConcurrentHashMap<>();

    private record Met(ConfigNode file, SeenParents parents) {}

    public ZfsConnections(StorageHosts hosts) {
        this.hosts = hosts;
    }

    /** Opens the connection of this scope, or joins whoever of the same scope has opened it. */
    public ZfsConnection open(ConnectionScope scope, ConfigNode file) {
        SharedClient<ZfsConnection> shared =
                scope.shared(ZfsConnection.class, () -> connect(scope, file), ZfsConnection::close);
        return shared.get().releasedBy(shared::close);
    }

    /** Connects to the pool; one that is the node's own is never looked for elsewhere. */
    private ZfsConnection connect(ConnectionScope scope, ConfigNode file) {
        boolean here = scope.nodeLocal();
        SharedClient<StorageHost> machine = here ? hosts.openHere(scope, file) : hosts.open(scope, file);
        ZfsPrograms programs = ZfsPrograms.read(file, machine.get(), usual(here, file));
        ZfsSettings settings = ZfsSettings.read(file.child("zfs"));
        DatasetLayout layout = new DatasetLayout(ParentSettings.read(file, settings), settings.detachedParent());
        SeenParents parents = parents(scope.name(), file, layout);
        return new ZfsConnection(
                scope,
                new ZfsHost(machine.get().runner(), programs.commands(), scope, parents),
                settings,
                programs,
                layout,
                new Mountpoints(),
                new ShareTurns(),
                machine::close);
    }

    /** Returns where the program is; a host with an API beside is an appliance, whose releases differ in that. */
    private static ZfsPrograms.Place usual(boolean here, ConfigNode file) {
        if (here) {
            return ZfsPrograms.Place.ON_THE_PATH;
        }
        return file.has("httpConnection") ? ZfsPrograms.Place.OF_AN_APPLIANCE : ZfsPrograms.Place.OF_A_SYSTEM;
    }

    private SeenParents parents(ConnectionName name, ConfigNode file, DatasetLayout layout) {
        SeenParents fresh = SeenParents.of( // made in any case, to read every key
                layout, ParentSettings.mark(file), parents -> met.put(name, new Met(file, parents)));
        Met last = met.get(name);
        return last != null && last.file().saysTheSameAs(file) ? last.parents() : fresh;
    }
}
