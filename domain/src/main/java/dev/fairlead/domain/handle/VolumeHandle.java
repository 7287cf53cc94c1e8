package dev.fairlead.domain.handle;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;

/** Names a volume by its connection and its id there. {@link HandleCodec} writes it as CSI carries it. */
public record VolumeHandle(ConnectionName connection, NativeId id) {
    @Override
    public String toString() {
        return "v:" + connection + "/" + id;
    }
}
