package dev.fairlead.bootstrap.serving;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers for the Kubernetes API on this machine; what it was not given does not exist. */
final class FakeCluster implements AutoCloseable {
    private static final String ABSENT = "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\"}";

    private final HttpServer server;

    FakeCluster() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", answering(404, ABSENT));
        server.start();
    }

    FakeCluster with(String path, HttpHandler handler) {
        server.createContext(path, handler);
        return this;
    }

    FakeCluster with(String path, String json) {
        return with(path, answering(200, json));
    }

    static HttpHandler answering(int status, String json) {
        byte[] answer = json.getBytes(StandardCharsets.UTF_8);
        return exchange -> {
            exchange.sendResponseHeaders(status, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        };
    }

    /** Writes a file by which a driver gets to it. */
    Path access(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("access"), """
                apiVersion: v1
                clusters: [{name: x, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: x, user: {token: x}}]
                contexts: [{name: x, context: {cluster: x, user: x}}]
                current-context: x
                """.formatted(server.getAddress().getPort()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
