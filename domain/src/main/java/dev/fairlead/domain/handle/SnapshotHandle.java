package dev.fairlead.domain.handle;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;

/** Names a snapshot by its connection and its id there. {@link HandleCodec} writes it as CSI carries it. */
public record SnapshotHandle(ConnectionName connection, NativeId id) {
    @Override
    public String toString() {
        return "s:" + connection + "/" + id;
    }
}
