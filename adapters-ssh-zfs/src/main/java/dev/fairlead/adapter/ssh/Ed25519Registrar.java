package dev.fairlead.adapter.ssh;

import java.security.Provider;
import java.security.Security;
import java.util.Optional;
import org.apache.sshd.common.util.security.AbstractSecurityProviderRegistrar;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;

/** Tells the SSH library that the JDK knows Ed25519. */
final class Ed25519Registrar extends AbstractSecurityProviderRegistrar {
    private static final String PROVIDER = "SunEC";

    private Ed25519Registrar() {
        super("JdkEd25519");
    }

    /** To be called before anything else of the library: it looks once at what there is. */
    static void register() {
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

    /** What is not said here goes to the JDK's providers in any case. */
    @Override
    public boolean isSecurityEntitySupported(Class<?> type, String name) {
        return false;
    }

    @Override
    public Optional<EdDSASupport<?, ?>> getEdDSASupport() {
        return Optional.of(new JdkEd25519());
    }
}
