package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.TrustedSession.Terms;
import java.io.IOException;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.session.AbstractClientSession;
import org.apache.sshd.client.session.ClientUserAuthServiceFactory;
import org.apache.sshd.common.Service;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.core.CoreModuleProperties;

/** Leaves out keyboard-interactive if a connection's settings forbid it; the library reads this setting here only. */
final class AuthenticationMethods extends ClientUserAuthServiceFactory {
    private static final String NOT_BY_KEYBOARD = UserAuthPublicKeyFactory.NAME + "," + UserAuthPasswordFactory.NAME;

    @Override
    public Service create(Session session) throws IOException {
        Terms terms = ((AbstractClientSession) session).getConnectionContext().getAttribute(TrustedSession.TERMS);
        if (!terms.settings().credentials().keyboard()) {
            CoreModuleProperties.PREFERRED_AUTHS.set(session, NOT_BY_KEYBOARD);
        }
        return super.create(session);
    }
}
