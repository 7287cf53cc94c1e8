package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.SshFailures.Refused;
import dev.fairlead.application.config.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;

/** Reads a private key as ssh-keygen or openssl writes it, with or without a passphrase. */
final class KeyReader {
    private static final String WHERE = "sshConnection.privateKey";

    private KeyReader() {}

    /** @throws IOException with what is wrong with the key, never with what is in it */
    static List<KeyPair> read(Secret key, Optional<Secret> passphrase) throws IOException {
        byte[] text = (key.reveal().strip() + "\n").getBytes(StandardCharsets.US_ASCII);
        boolean asked = passphrase.isPresent();
        FilePasswordProvider words = (_, _, attempt) ->
                attempt > 0 ? null : passphrase.map(Secret::reveal).orElse(null);
        try (ByteArrayInputStream in = new ByteArrayInputStream(text)) {
            Iterable<KeyPair> pairs = SecurityUtils.loadKeyPairIdentities(null, NamedResource.ofName(WHERE), in, words);
            List<KeyPair> read = new ArrayList<>();
            if (pairs != null) {
                pairs.forEach(read::add);
            }
            if (read.isEmpty()) {
                throw new Refused(WHERE + " has no key that could be read", null);
            }
            return read;
        } catch (Refused e) {
            throw e;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new Refused(
                    asked
                            ? WHERE + " cannot be read; is sshConnection.passphrase the right one?"
                            : WHERE + " cannot be read; if it is encrypted, add sshConnection.passphrase",
                    e);
        }
    }
}
