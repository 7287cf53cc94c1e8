package dev.fairlead.simulator.wire;

import dev.fairlead.simulator.profile.SimulatorSettings;
import java.nio.file.Path;
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

    private Listener(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
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
        ServerConnector connector = new ServerConnector(server, 1, 1, new DetectorConnectionFactory(encrypted), plain);
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
        return new Listener(server, connector);
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
    }
}
