package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.transfer.ZfsReceiver;
import dev.fairlead.adapter.zfs.store.transfer.ZfsSender;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.domain.volume.VolumeMedium;

/** Transfers the content of datasets as streams of {@code zfs send}. */
final class ZfsTransfer implements ContentTransfer {
    private final Format format;
    private final Sender sender;
    private final Receiver receiver;

    ZfsTransfer(ZfsConnection connection, VolumeMedium.Kind kind, DatasetRemoval removal) {
        this.format = new Format("zfs-send", kind);
        this.sender = new ZfsSender(connection.host(), connection.layout());
        this.receiver = new ZfsReceiver(connection, removal);
    }

    @Override
    public Format format() {
        return format;
    }

    @Override
    public Sender sender() {
        return sender;
    }

    @Override
    public Receiver receiver() {
        return receiver;
    }
}
