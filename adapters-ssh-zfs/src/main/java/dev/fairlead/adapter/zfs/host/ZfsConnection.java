package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.settings.ParentSettings;
import dev.fairlead.zfs.settings.ZfsSettings;

/**
 * What the store and the exporter of one version of a connection's file have in common; each closes it once.
 *
 * @param host runs programs over one session, whoever asks
 */
public record ZfsConnection(
        ConnectionScope scope,
        ZfsHost host,
        ZfsSettings settings,
        ZfsPrograms programs,
        Layout layout,
        Mountpoints mountpoints,
        ShareTurns turns,
        Runnable release)
        implements AutoCloseable {
    /** Opens it, or joins whoever of the same scope has opened it. */
    public static ZfsConnection open(StorageHosts hosts, ConnectionScope scope, ConfigNode file) {
        SharedClient<ZfsConnection> shared =
                scope.shared(ZfsConnection.class, () -> connect(hosts, scope, file), ZfsConnection::close);
        ZfsConnection it = shared.get();
        return new ZfsConnection(
                it.scope, it.host, it.settings, it.programs, it.layout, it.mountpoints, it.turns, shared::close);
    }

    /** A pool of a type whose name says that it is this machine's is never looked for elsewhere. */
    private static ZfsConnection connect(StorageHosts hosts, ConnectionScope scope, ConfigNode file) {
        boolean here = scope.driverType().startsWith("zfs-local-");
        SharedClient<StorageHost> machine = here ? hosts.openHere(scope, file) : hosts.open(scope, file);
        ZfsPrograms programs = ZfsPrograms.read(file, machine.get(), here ? "zfs" : "/sbin/zfs");
        ZfsSettings settings = ZfsSettings.read(file.child("zfs"));
        Layout layout = new Layout(ParentSettings.read(file, settings), settings.detachedParent());
        SeenParents parents = SeenParents.of(layout, ParentSettings.mark(file));
        return new ZfsConnection(
                scope,
                new ZfsHost(machine.get().runner(), programs.commands(), scope.name(), parents),
                settings,
                programs,
                layout,
                new Mountpoints(),
                new ShareTurns(),
                machine::close);
    }

    @Override
    public void close() {
        release.run();
    }
}
