package dev.fairlead.domain.handle;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/**
 * Writes and reads handles as CSI carries them, byte for byte as democratic-csi writes them.
 *
 * <p>A text without this form was never a handle; what follows depends on the RPC (deleting it is OK, finding it is
 * NOT_FOUND), so parsing returns empty. A text that has the form but names a connection that can have no file here may
 * stand for a volume that exists, since democratic-csi took any path for a name. It is treated like a handle of a
 * connection whose file is gone: parsing throws {@code ConnectionUnknown}.
 */
public sealed interface HandleCodec {
    String encode(VolumeHandle handle);

    String encode(SnapshotHandle handle);

    String encode(GroupHandle handle);

    Optional<VolumeHandle> volume(String text);

    Optional<SnapshotHandle> snapshot(String text);

    Optional<GroupHandle> group(String text);

    /** Returns how many bytes a handle of this connection has before its native id. */
    int overhead(ConnectionName connection);

    /**
     * Writes a proxy's handles: {@code v:<connection>/<native id>}, {@code s:<connection>/<native id>}, and for groups
     * {@code g:<connection>/<name>}.
     */
    record Proxied() implements HandleCodec {
        @Override
        public String encode(VolumeHandle handle) {
            return "v:" + handle.connection() + "/" + handle.id();
        }

        @Override
        public String encode(SnapshotHandle handle) {
            return "s:" + handle.connection() + "/" + handle.id();
        }

        @Override
        public String encode(GroupHandle handle) {
            return "g:" + handle.connection() + "/" + handle.id();
        }

        @Override
        public Optional<VolumeHandle> volume(String text) {
            return split(text, "v:").map(parts -> new VolumeHandle(parts.connection(), parts.id()));
        }

        @Override
        public Optional<SnapshotHandle> snapshot(String text) {
            return split(text, "s:");
        }

        @Override
        public Optional<GroupHandle> group(String text) {
            return split(text, "g:").map(parts -> new GroupHandle(parts.connection(), parts.id()));
        }

        @Override
        public int overhead(ConnectionName connection) {
            return connection.value().length() + 3;
        }

        private static Optional<SnapshotHandle> split(String text, String prefix) {
            int slash = text.indexOf('/');
            if (!text.startsWith(prefix) || slash < prefix.length()) {
                return Optional.empty();
            }
            String connection = text.substring(prefix.length(), slash);
            String id = text.substring(slash + 1);
            if (ConnectionName.isValid(connection) && NativeId.isValid(id)) {
                return Optional.of(new SnapshotHandle(new ConnectionName(connection), new NativeId(id)));
            }
            refusePath(text.substring(prefix.length()));
            return Optional.empty();
        }

        /**
         * Throws {@code ConnectionUnknown} if an id follows the last slash: democratic-csi took any path for a
         * connection's name.
         */
        private static void refusePath(String text) {
            int slash = text.lastIndexOf('/');
            String connection = text.substring(0, slash);
            if (!connection.isEmpty() && connection.indexOf('\0') < 0 && NativeId.isValid(text.substring(slash + 1))) {
                throw new StorageException(new Failure.ConnectionUnknown(
                        Excerpt.of(connection),
                        "no file of that name is read here (expected: " + ConnectionName.EXPECTED
                                + "), and its volumes may still be there; remove them from the storage by hand"));
            }
        }
    }

    /** Writes the handles of a single driver: bare native ids, of the connection {@link ConnectionName#SINGLE}. */
    record Bare() implements HandleCodec {
        @Override
        public String encode(VolumeHandle handle) {
            return handle.id().value();
        }

        @Override
        public String encode(SnapshotHandle handle) {
            return handle.id().value();
        }

        @Override
        public String encode(GroupHandle handle) {
            return handle.id().value();
        }

        @Override
        public Optional<VolumeHandle> volume(String text) {
            return NativeId.read(text).map(id -> new VolumeHandle(ConnectionName.SINGLE, id));
        }

        @Override
        public Optional<SnapshotHandle> snapshot(String text) {
            return NativeId.read(text).map(id -> new SnapshotHandle(ConnectionName.SINGLE, id));
        }

        @Override
        public Optional<GroupHandle> group(String text) {
            return NativeId.read(text).map(id -> new GroupHandle(ConnectionName.SINGLE, id));
        }

        @Override
        public int overhead(ConnectionName connection) {
            return 0;
        }
    }
}
