package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.TrustedSession.Terms;
import java.io.IOException;
import org.apache.sshd.client.session.AbstractClientSession;
import org.apache.sshd.client.session.ClientConnectionServiceFactory;
import org.apache.sshd.common.Service;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.core.CoreModuleProperties;

/** Sets a connection's keepalive on each session, since the library reads it when it creates the session's service. */
final class KeptAlive extends ClientConnectionServiceFactory {
    @Override
    public Service create(Session session) throws IOException {
        Terms terms = ((AbstractClientSession) session).getConnectionContext().getAttribute(TrustedSession.TERMS);
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(
                session, terms.settings().timing().keepalive());
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(
                session, terms.settings().timing().missed());
        return super.create(session);
    }
}
