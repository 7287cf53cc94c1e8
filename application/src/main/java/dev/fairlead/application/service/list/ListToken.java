package dev.fairlead.application.service.list;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;

/**
 * Marks the position at which a list goes on: after this id of this connection. Neither need exist any more, so a token
 * stays valid while volumes and connections come and go.
 */
record ListToken(ConnectionName connection, String last) {
    @Override
    public String toString() {
        return connection + "/" + last;
    }

    static ListToken parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0
                || !ConnectionName.isValid(text.substring(0, slash))
                || !NativeId.isValid(text.substring(slash + 1))) {
            String shown = Excerpt.of(text);
            throw new StorageException(new Failure.StalePageToken(shown.substring(1, shown.length() - 1)));
        }
        return new ListToken(new ConnectionName(text.substring(0, slash)), text.substring(slash + 1));
    }
}
