package dev.fairlead.lab;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A toxiproxy as a process of its own, which delays, slices and cuts what goes through its links. */
final class Toxiproxy implements AutoCloseable {
    private final Process process;
    private final URI api;
    private final HttpClient http = HttpClient.newHttpClient();

    private Toxiproxy(Process process, URI api) {
        this.process = process;
        this.api = api;
    }

    /** Starts the program, and waits until it answers. */
    static Toxiproxy start(Path program, Path log) throws IOException, InterruptedException {
        int port = freePort();
        Process process = new ProcessBuilder(program.toString(), "-host", "127.0.0.1", "-port", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        var started = new Toxiproxy(process, URI.create("http://127.0.0.1:" + port));
        for (int i = 0; i < 100; i++) {
            try {
                started.ask("GET", "/version", "");
                return started;
            } catch (IOException _) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        started.close();
        throw new IOException("toxiproxy did not answer, see " + log);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void ask(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(api.resolve(path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException("toxiproxy: " + method + " " + path + ": " + answer.body());
        }
    }

    /**
     * Makes a link to a port of this machine, with delays of 5 to 15 ms each way, and all that goes through in slices.
     */
    Link link(int upstream) throws IOException, InterruptedException {
        int port = freePort();
        var link = new Link(this, "to-" + upstream, port);
        ask("POST", "/proxies", """
                {"name": "%s", "listen": "127.0.0.1:%d", "upstream": "127.0.0.1:%d", "enabled": true}
                """.formatted(link.name(), port, upstream));
        for (String stream : List.of("upstream", "downstream")) {
            ask("POST", "/proxies/" + link.name() + "/toxics", """
                    {"type": "latency", "stream": "%s", "attributes": {"latency": 10, "jitter": 5}}
                    """.formatted(stream));
            ask("POST", "/proxies/" + link.name() + "/toxics", """
                    {"type": "slicer", "stream": "%s",
                     "attributes": {"average_size": 200, "size_variation": 100, "delay": 100}}
                    """.formatted(stream));
        }
        return link;
    }

    /** A link through the proxy. */
    record Link(Toxiproxy proxy, String name, int port) {
        /** Cuts all connections through it, and lets new ones through. */
        void cut() throws IOException, InterruptedException {
            proxy.ask("POST", "/proxies/" + name, "{\"enabled\": false}");
            proxy.ask("POST", "/proxies/" + name, "{\"enabled\": true}");
        }

        void close() throws IOException {
            try {
                proxy.ask("DELETE", "/proxies/" + name, "");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        process.destroy();
        http.close();
    }
}
