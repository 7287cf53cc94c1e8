package dev.fairlead.adapter.grpc.socket;

import dev.fairlead.adapter.grpc.call.LogKeys;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds a server that accepts calls at one endpoint, and its socket file if it has one. */
public record Listening(Server server, Optional<SocketFile> file) {
    private static final Logger log = LoggerFactory.getLogger(Listening.class);

    public static Listening at(
            GrpcSettings.Endpoint endpoint, Transport transport, List<ServerServiceDefinition> services) {
        return switch (endpoint) {
            case GrpcSettings.UnixSocket socket -> atSocket(socket, transport, services);
            case GrpcSettings.Tcp(String address, int port) -> {
                Server server = transport.tcpServer(new InetSocketAddress(address, port), services);
                started(server, address + ":" + port);
                yield new Listening(server, Optional.empty());
            }
        };
    }

    private static Listening atSocket(
            GrpcSettings.UnixSocket socket, Transport transport, List<ServerServiceDefinition> services) {
        SocketFile file = SocketFile.claim(socket.path());
        Server server = transport.unixServer(UnixDomainSocketAddress.of(file.hidden()), services);
        Listening listening = new Listening(server, Optional.of(file));
        try {
            started(server, "socket " + file);
            file.reveal(socket.permissions());
            return listening;
        } catch (StorageException e) {
            listening.stopAccepting();
            listening.abandon();
            throw e;
        }
    }

    private static void started(Server server, String where) {
        try {
            server.start();
        } catch (IOException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new StorageException(new Failure.NodeFault("listening on " + where, reason.toString()), e);
        }
    }

    public List<SocketAddress> addresses() {
        return List.copyOf(server.getListenSockets());
    }

    /** Takes the socket away, so that callers wait for the next process, and lets the calls that run go on. */
    public void stopAccepting() {
        file.ifPresent(f -> {
            try {
                f.remove();
            } catch (IOException e) {
                log.atWarn().addKeyValue(LogKeys.SOCKET, f).setCause(e).log("socket file not removed");
            }
        });
        server.shutdown();
    }

    public boolean ended(long nanos) throws InterruptedException {
        return server.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }

    public void abandon() {
        server.shutdownNow();
    }
}
