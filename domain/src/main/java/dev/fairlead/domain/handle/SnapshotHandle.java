package dev.fairlead.domain.handle;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;

/** A snapshot, by its connection and its id there. {@link HandleCodec} gives it the form that travels. */
public record SnapshotHandle(ConnectionName connection, NativeId id) {
    @Override
    public String toString() {
        return "s:" + connection + "/" + id;
    }
}
