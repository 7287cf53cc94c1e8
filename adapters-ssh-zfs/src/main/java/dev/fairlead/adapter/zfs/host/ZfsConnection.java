package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.settings.ZfsSettings;

/**
 * What the store and the exporter of one version of a connection's file have in common; each closes it once.
 *
 * @param host runs programs over one session, whoever asks
 * @param births what the one tells the other of volumes that are being made
 */
public record ZfsConnection(
        ConnectionScope scope,
        ZfsHost host,
        ZfsSettings settings,
        ZfsPrograms programs,
        Layout layout,
        Births births,
        Runnable release)
        implements AutoCloseable {
    /** The same for what shuts nodes out, and does nothing else: {@link ZfsHost#fencing()}. */
    public ZfsConnection fencing() {
        return new ZfsConnection(scope, host.fencing(), settings, programs, layout, births, release);
    }

    @Override
    public void close() {
        release.run();
    }
}
