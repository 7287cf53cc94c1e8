package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.SshFailures.Refused;
import dev.fairlead.adapter.ssh.TrustedSession.Terms;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;

/** Opens a session to a host and logs in, within the time that the settings allow for both. */
final class SshOpener implements SshLink.Opener {
    private final String connection;
    private final SshSettings settings;
    private final Supplier<SshTransport> transport;
    private final InstantSource clock;
    /** The private keys, read once, since decrypting one with a passphrase takes time. */
    private volatile List<KeyPair> keys = List.of();

    SshOpener(String connection, SshSettings settings, Supplier<SshTransport> transport, InstantSource clock) {
        this.connection = connection;
        this.settings = settings;
        this.transport = transport;
        this.clock = clock;
    }

    @Override
    public ClientSession open() throws IOException {
        SshTransport library = transport.get();
        Instant end = clock.instant().plus(settings.timing().ready());
        Terms terms = new Terms(settings, new HostKeys(connection, settings), Negotiation.of(settings.algorithms()));
        readKeys();
        List<InetAddress> addresses = addresses();
        IOException last = new IOException("there is no address");
        for (int i = 0; i < addresses.size(); i++) {
            // An address that does not answer must leave time for the next one.
            Duration share = left(end).dividedBy(addresses.size() - i);
            try {
                return entered(library, terms, addresses.get(i), share, end);
            } catch (IOException e) {
                last = terms.hostKeys().refusal().isEmpty()
                        ? withinReach(e)
                        : new Refused(terms.hostKeys().refusal(), e);
            }
        }
        throw last;
    }

    /** Names the setting by which an attempt took too long, since a busy host may need more. */
    private IOException withinReach(IOException e) {
        return SshFailures.isTimeout(e)
                ? new Refused(
                        "it let nobody in within " + settings.timing().ready().toMillis()
                                + " ms (readyTimeout of sshConnection)",
                        e)
                : e;
    }

    private void readKeys() throws IOException {
        if (keys.isEmpty() && settings.credentials().privateKey().isPresent()) {
            keys = KeyReader.read(
                    settings.credentials().privateKey().get(),
                    settings.credentials().passphrase());
        }
    }

    private List<InetAddress> addresses() throws UnknownHostException {
        List<InetAddress> all = Arrays.asList(InetAddress.getAllByName(settings.host()));
        List<InetAddress> fitting = switch (settings.family()) {
            case ANY -> all;
            case IPV4 -> all.stream().filter(Inet4Address.class::isInstance).toList();
            case IPV6 -> all.stream().filter(Inet6Address.class::isInstance).toList();
        };
        if (fitting.isEmpty()) {
            throw new UnknownHostException(settings.host() + " has no " + settings.family() + " address");
        }
        return fitting;
    }

    private ClientSession entered(SshTransport library, Terms terms, InetAddress address, Duration share, Instant end)
            throws IOException {
        AttributeRepository context = AttributeRepository.ofKeyValuePair(TrustedSession.TERMS, terms);
        ClientSession session = library.client()
                .connect(settings.username(), new InetSocketAddress(address, settings.port()), context, null)
                .verify(share)
                .getClientSession();
        try {
            keys.forEach(session::addPublicKeyIdentity);
            settings.credentials().password().ifPresent(secret -> session.addPasswordIdentity(secret.reveal()));
            session.auth().verify(left(end));
            return session;
        } catch (IOException | RuntimeException e) {
            session.close(true);
            throw e;
        }
    }

    private Duration left(Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        return left.isPositive() ? left : Duration.ofMillis(1);
    }
}
