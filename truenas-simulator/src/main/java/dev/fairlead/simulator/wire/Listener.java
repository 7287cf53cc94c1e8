package dev.fairlead.simulator.wire;

import dev.fairlead.simulator.profile.SimulatorSettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** The one port, which speaks TLS and plain text, HTTP/1.1 and WebSocket. */
public final class Listener implements AutoCloseable {
    private static final long LONGEST_MESSAGE = 4L << 20;
    private static final long IDLE_BY_HTTP = 65_000;
    private static final int THREADS = 200;

    private final Server server;
    private final ServerConnector connector;
    private final Set<Socket> accepted;
    private final AtomicBoolean stopped;

    private Listener(Server server, ServerConnector connector, Set<Socket> accepted, AtomicBoolean stopped) {
        this.server = server;
        this.connector = connector;
        this.accepted = accepted;
        this.stopped = stopped;
    }

    /** Starts to listen. */
    public static Listener start(Path folder, SimulatorSettings settings, Front front) {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(Certificate.of(folder));
        tls.setKeyStorePassword(Certificate.PASSWORD);
        tls.setKeyManagerPassword(Certificate.PASSWORD);
        tls.setSniRequired(false);
        HttpConfiguration http = new HttpConfiguration();
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setSendServerVersion(false);
        http.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        SslConnectionFactory encrypted = new SslConnectionFactory(tls, plain.getProtocol());
        Server server = new Server(new QueuedThreadPool(THREADS, 2));
        Set<Socket> accepted = ConcurrentHashMap.newKeySet();
        AtomicBoolean stopped = new AtomicBoolean();
        ServerConnector connector = new ServerConnector(server, 1, 1, new DetectorConnectionFactory(encrypted), plain) {
            @Override
            protected void configure(Socket socket) {
                accepted.removeIf(Socket::isClosed);
                accepted.add(socket);
                super.configure(socket);
                if (stopped.get()) cut(socket);
            }
        };
        connector.setHost("127.0.0.1");
        connector.setPort(settings.port());
        connector.setIdleTimeout(IDLE_BY_HTTP);
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setHandler(front);
        ServerWebSocketContainer.ensure(server).setMaxTextMessageSize(LONGEST_MESSAGE);
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot listen at port " + settings.port(), e);
        }
        return new Listener(server, connector, accepted, stopped);
    }

    /** Returns the port. */
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot stop to listen", e);
        }
        stopped.set(true);
        // One that was just accepted is closed by no stop of the server, and its caller would wait for ever.
        accepted.forEach(Listener::cut);
    }

    private static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // Nobody can write to it any more, which is all that matters.
        }
    }
}
