package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.TrustedSession.Algorithms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.BuiltinCiphers;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.mac.BuiltinMacs;
import org.apache.sshd.common.mac.Mac;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;
import org.jspecify.annotations.Nullable;

/** Finds the algorithms that a connection file names, which may be older than today's defaults. */
final class Negotiation {
    private Negotiation() {}

    static Algorithms of(Map<String, List<String>> named) throws IOException {
        return new Algorithms(
                factories(named, "kex", name -> exchange(BuiltinDHFactories.fromFactoryName(name))),
                factories(named, "cipher", name -> (NamedFactory<Cipher>) BuiltinCiphers.fromFactoryName(name)),
                factories(named, "hmac", name -> (NamedFactory<Mac>) BuiltinMacs.fromFactoryName(name)),
                factories(named, "serverHostKey", name ->
                        (NamedFactory<Signature>) BuiltinSignatures.fromFactoryName(name)));
    }

    private static @Nullable KeyExchangeFactory exchange(@Nullable BuiltinDHFactories factory) {
        return factory == null ? null : ClientBuilder.DH2KEX.apply(factory);
    }

    private static <F> Optional<List<F>> factories(
            Map<String, List<String>> named, String kind, Function<String, @Nullable F> byName) throws IOException {
        List<String> names = named.getOrDefault(kind, List.of());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        List<F> found = new ArrayList<>();
        for (String name : names) {
            F factory = byName.apply(name);
            if (factory != null) {
                found.add(factory);
            }
        }
        if (found.isEmpty()) {
            throw new IOException("sshConnection.algorithms." + kind + " has none that is known: " + names);
        }
        return Optional.of(found);
    }
}
