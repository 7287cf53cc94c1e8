package dev.fairlead.domain.topology;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.digest.Digests;
import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * Orders connections by rendezvous hashing: each has a number made from its own name and a key, and the highest comes
 * first. So a key always meets the same order, keys spread evenly, and a connection that comes or goes leaves the order
 * of the others.
 */
final class Rendezvous {
    private Rendezvous() {}

    static Comparator<ConnectionName> of(String key) {
        return Comparator.comparing((ConnectionName name) -> draw(name, key), (a, b) -> Long.compareUnsigned(b, a))
                .thenComparing(Comparator.naturalOrder());
    }

    private static long draw(ConnectionName name, String key) {
        return ByteBuffer.wrap(Digests.sha256(name.value() + "/" + key)).getLong();
    }
}
