package dev.fairlead.adapter.node.block;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** Tells whether a port of an address takes connections, without asking more of it. */
@FunctionalInterface
public interface PortProbe {
    /** The longest time to wait for an answer. */
    Duration ANSWER = Duration.ofSeconds(3);

    /** Opens a connection and closes it. */
    PortProbe BY_SOCKET = (address, port) -> {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), (int) ANSWER.toMillis());
        }
    };

    /** @throws IOException if nothing answers, or nothing listens */
    void ask(InetAddress address, int port) throws IOException;

    /** Returns the addresses that a host's name leads to now. */
    default Set<InetAddress> addresses(String host) throws UnknownHostException {
        return new LinkedHashSet<>(Arrays.asList(InetAddress.getAllByName(host)));
    }
}
