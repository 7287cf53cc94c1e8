package dev.fairlead.domain.handle;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;

/** Names a group of snapshots by its connection and its id there. {@link HandleCodec} writes it as CSI carries it. */
public record GroupHandle(ConnectionName connection, NativeId id) {
    @Override
    public String toString() {
        return "g:" + connection + "/" + id;
    }
}
