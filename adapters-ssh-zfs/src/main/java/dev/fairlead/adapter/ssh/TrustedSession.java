package dev.fairlead.adapter.ssh;

import java.util.List;
import java.util.Optional;
import org.apache.sshd.client.ClientFactoryManager;
import org.apache.sshd.client.session.ClientSessionImpl;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.mac.Mac;
import org.apache.sshd.common.signature.Signature;

/** Sets the host keys and algorithms of a session before its first packet. */
final class TrustedSession extends ClientSessionImpl {
    /** The terms of a session, which are handed over along with the address. */
    static final AttributeKey<Terms> TERMS = new AttributeKey<>();

    /** Holds what applies to the sessions of one connection. */
    record Terms(SshSettings settings, HostKeys hostKeys, Algorithms algorithms) {}

    TrustedSession(ClientFactoryManager client, IoSession io) throws Exception {
        super(client, io);
        Terms terms = getConnectionContext().getAttribute(TERMS);
        setServerKeyVerifier(terms.hostKeys());
        terms.algorithms().keyExchanges().ifPresent(this::setKeyExchangeFactories);
        terms.algorithms().ciphers().ifPresent(this::setCipherFactories);
        terms.algorithms().macs().ifPresent(this::setMacFactories);
        setSignatureFactories(terms.hostKeys().choose(signatures(client, terms)));
    }

    /**
     * Returns the signature algorithms for plain keys, unless the file names others: nothing names the authorities that
     * sign host certificates.
     */
    private static List<NamedFactory<Signature>> signatures(ClientFactoryManager client, Terms terms) {
        List<NamedFactory<Signature>> usual = client.getSignatureFactories().stream()
                .filter(factory -> !factory.getName().contains("-cert-"))
                .toList();
        return terms.algorithms().signatures().orElse(usual);
    }

    /** Holds the algorithms that the connection file names; empty for each kind of which it names none. */
    record Algorithms(
            Optional<List<KeyExchangeFactory>> keyExchanges,
            Optional<List<NamedFactory<Cipher>>> ciphers,
            Optional<List<NamedFactory<Mac>>> macs,
            Optional<List<NamedFactory<Signature>>> signatures) {}
}
