package dev.fairlead.bootstrap.monitor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and metrics by HTTP, on a port of their own. It tells, and takes nothing in. */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final int BACKLOG = 32;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final Health health;
    private final Supplier<String> metrics;

    private HttpEndpoint(HttpServer server, Health health, Supplier<String> metrics) {
        this.server = server;
        this.health = health;
        this.metrics = metrics;
    }

    /**
     * Listens from now on.
     *
     * @param address empty: every address of this machine
     * @param port 0: one that is free
     * @param metrics all of them, in Prometheus' text format
     * @throws StorageException where it cannot listen
     */
    public static HttpEndpoint open(
            String address, int port, Health health, Supplier<String> metrics, Executor executor) {
        try {
            InetSocketAddress where =
                    address.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(address, port);
            HttpServer server = HttpServer.create(where, BACKLOG);
            var endpoint = new HttpEndpoint(server, health, metrics);
            server.setExecutor(executor);
            server.createContext("/", endpoint::answer);
            server.start();
            log.atInfo().addKeyValue("endpoint", server.getAddress()).log("health and metrics by HTTP");
            return endpoint;
        } catch (IOException e) {
            throw new StorageException(
                    new Failure.NodeFault("listening on " + address + ":" + port, String.valueOf(e.getMessage())), e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private record Answer(int status, String type, String body) {
        static Answer of(Health.Report report) {
            String text = (report.good() ? "ok\n" : "not ok\n") + String.join("\n", report.lines()) + "\n";
            return new Answer(report.good() ? 200 : 503, TEXT, text);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answerTo(
                    exchange.getRequestMethod(), exchange.getRequestURI().getPath());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean withoutBody = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), withoutBody ? -1 : body.length);
            if (!withoutBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Answer answerTo(String method, String path) {
        if (!Set.of("GET", "HEAD").contains(method)) {
            return new Answer(405, TEXT, "GET and HEAD are all that there is\n");
        }
        try {
            return switch (path) {
                case "/livez" -> Answer.of(health.live());
                case "/readyz" -> Answer.of(health.ready());
                case "/metrics" -> new Answer(200, PROMETHEUS, metrics.get());
                default -> new Answer(404, TEXT, "there are /livez, /readyz and /metrics\n");
            };
        } catch (RuntimeException e) {
            log.atError().addKeyValue("path", path).setCause(e).log("unexpected error");
            return new Answer(500, TEXT, "unexpected error; the log has it\n");
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
