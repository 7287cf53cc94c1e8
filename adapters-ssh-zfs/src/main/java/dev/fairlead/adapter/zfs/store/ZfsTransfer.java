package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.domain.volume.VolumeMedium;

/** Transfers the content of datasets as streams of {@code zfs send}. */
final class ZfsTransfer implements ContentTransfer {
    private final Format format;
    private final Departure departure;
    private final Arrival arrival;

    ZfsTransfer(ZfsConnection connection, VolumeMedium.Kind kind, Removal removal) {
        this.format = new Format("zfs-send", kind);
        this.departure = new ZfsDeparture(connection.host(), connection.layout());
        this.arrival = new ZfsArrival(connection, removal);
    }

    @Override
    public Format format() {
        return format;
    }

    @Override
    public Departure departure() {
        return departure;
    }

    @Override
    public Arrival arrival() {
        return arrival;
    }
}
