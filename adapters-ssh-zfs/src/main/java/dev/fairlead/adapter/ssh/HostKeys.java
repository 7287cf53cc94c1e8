package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.SshFailures.Refused;
import java.io.IOException;
import java.io.StringReader;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.common.signature.Signature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a host is the one that is meant, by the keys that the connection file gives for it. If it gives none,
 * any host is trusted, as democratic-csi does, and the log says each time what to add.
 */
final class HostKeys implements ServerKeyVerifier {
    private static final Logger log = LoggerFactory.getLogger(HostKeys.class);

    private final String connection;
    private final SshSettings settings;
    /** The accepted keys, read again for each attempt because a file of known hosts may have been edited. */
    private final List<PublicKey> known;

    private final List<PublicKey> revoked = new ArrayList<>();
    private final AtomicReference<String> refusal = new AtomicReference<>("");

    /** @throws IOException if the keys cannot be read */
    HostKeys(String connection, SshSettings settings) throws IOException {
        this.connection = connection;
        this.settings = settings;
        this.known = new ArrayList<>();
        for (String line : settings.trust().hostKeys()) {
            known.add(key(() -> PublicKeyEntry.parsePublicKeyEntry(line), "sshConnection.hostKey"));
        }
        Optional<String> hosts = settings.trust().knownHosts();
        if (hosts.isPresent()) {
            readKnownHosts(hosts.get());
        }
    }

    private void readKnownHosts(String textOrPath) throws IOException {
        String text = textOrPath.startsWith("/") ? Files.readString(Path.of(textOrPath.strip())) : textOrPath;
        for (KnownHostEntry entry : KnownHostEntry.readKnownHostEntries(new StringReader(text), true)) {
            if (!entry.isHostMatch(settings.host(), settings.port())) {
                continue;
            }
            AuthorizedKeyEntry line = entry.getKeyEntry();
            String marker = entry.getMarker() == null ? "" : entry.getMarker();
            switch (marker) {
                case "" -> known.add(key(() -> line, "sshConnection.knownHosts"));
                case "revoked" -> revoked.add(key(() -> line, "sshConnection.knownHosts"));
                default ->
                    log.atWarn()
                            .addKeyValue("connection", connection)
                            .addKeyValue("marker", marker)
                            .log("a line of the known hosts is passed over; only keys of hosts are understood");
            }
        }
    }

    private static PublicKey key(Supplier<PublicKeyEntry> entry, String where) throws IOException {
        try {
            return entry.get().resolvePublicKey(null, Map.of(), PublicKeyEntryResolver.FAILING);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new Refused(where + " has a key that cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Prefers signature algorithms of the kinds of key that are known, if any are, since a server has one key of each
     * kind.
     */
    List<NamedFactory<Signature>> choose(List<NamedFactory<Signature>> usual) {
        Set<String> kinds = known.stream().map(KeyUtils::getKeyType).collect(Collectors.toSet());
        List<NamedFactory<Signature>> chosen = usual.stream()
                .filter(factory -> kinds.contains(KeyUtils.getCanonicalKeyType(factory.getName())))
                .toList();
        return chosen.isEmpty() ? usual : chosen;
    }

    /** Returns why the host was refused; empty if it was not. */
    String refusal() {
        return refusal.get();
    }

    @Override
    public boolean verifyServerKey(ClientSession session, SocketAddress address, PublicKey key) {
        String shown = PublicKeyEntry.toString(key);
        if (revoked.stream().anyMatch(other -> KeyUtils.compareKeys(other, key))) {
            return refuse("shows a key that sshConnection.knownHosts has revoked: " + shown);
        }
        if (known.stream().anyMatch(other -> KeyUtils.compareKeys(other, key))) {
            return true;
        }
        if (!known.isEmpty()) {
            return refuse("shows another key than the connection file has for it, " + KeyUtils.getFingerPrint(key)
                    + "; if it was set up anew, put the new one there: " + shown);
        }
        if (settings.trust().knowsAnything() || settings.trust().strict()) {
            return refuse(
                    "is not among the known hosts; if it is the right one, add under sshConnection: hostKey: " + shown);
        }
        log.atWarn()
                .addKeyValue("connection", connection)
                .addKeyValue("host", settings.host())
                .addKeyValue("add", "hostKey: " + shown)
                .log("the host is believed without proof; add its key under sshConnection in the connection file");
        return true;
    }

    private boolean refuse(String why) {
        refusal.set(settings.host() + " " + why);
        return false;
    }
}
