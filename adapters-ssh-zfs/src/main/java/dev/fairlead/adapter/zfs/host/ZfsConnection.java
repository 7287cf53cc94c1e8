package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.settings.ZfsSettings;

/**
 * Holds what the store and the exporter of one version of a connection's file have in common; each of them closes it
 * once.
 *
 * @param host runs programs over one session for all its users
 */
public record ZfsConnection(
        ConnectionScope scope,
        ZfsHost host,
        ZfsSettings settings,
        ZfsPrograms programs,
        DatasetLayout layout,
        Mountpoints mountpoints,
        ShareTurns turns,
        Runnable release)
        implements AutoCloseable {
    /** Returns the same connection for shutting nodes out, and for nothing else; see {@link ZfsHost#fencing()}. */
    public ZfsConnection fencing() {
        return new ZfsConnection(scope, host.fencing(), settings, programs, layout, mountpoints, turns, release);
    }

    /** Returns the same connection for one more of those that share it, which releases it by this. */
    ZfsConnection releasedBy(Runnable letsGo) {
        return new ZfsConnection(scope, host, settings, programs, layout, mountpoints, turns, letsGo);
    }

    @Override
    public void close() {
        release.run();
    }
}
