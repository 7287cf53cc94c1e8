package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;

/** Opens nothing: it stands for a box whose settings have problems. */
record UnusedOpener() implements SessionLink.Opener {
    @Override
    public Session open() throws SessionException {
        throw new SessionException(Kind.NOT_DONE, "httpConnection has problems");
    }

    @Override
    public void close() {}
}
