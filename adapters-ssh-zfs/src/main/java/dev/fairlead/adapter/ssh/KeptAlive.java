package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.TrustedSession.Terms;
import java.io.IOException;
import org.apache.sshd.client.session.AbstractClientSession;
import org.apache.sshd.client.session.ClientConnectionServiceFactory;
import org.apache.sshd.common.Service;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * Has the peer asked for signs of life as a connection's settings say, which the library reads as it makes a session.
 */
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
