package dev.fairlead.adapter.ssh.key;

import java.security.Provider;
import java.security.Security;
import java.util.Optional;
import org.apache.sshd.common.util.security.AbstractSecurityProviderRegistrar;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;

/** Tells the SSH library that the JDK knows Ed25519. */
public final class Ed25519Registrar extends AbstractSecurityProviderRegistrar {
    private static final String PROVIDER = "SunEC";

    private Ed25519Registrar() {
        super("JdkEd25519");
    }

    /**
     * Registers Ed25519 with the SSH library; must run before anything else of the library, which looks for providers
     * once.
     */
    public static void register() {
        SecurityUtils.registerSecurityProvider(new Ed25519Registrar());
    }

    @Override
    public String getProviderName() {
        return PROVIDER;
    }

    @Override
    public Provider getSecurityProvider() {
        return Security.getProvider(PROVIDER);
    }

    @Override
    public boolean isSupported() {
        return getSecurityProvider() != null;
    }

    /** Returns false, since the library finds every other algorithm at the JDK's providers without this registrar. */
    @Override
    public boolean isSecurityEntitySupported(Class<?> type, String name) {
        return false;
    }

    @Override
    public Optional<EdDSASupport<?, ?>> getEdDSASupport() {
        return Optional.of(new JdkEd25519());
    }
}
