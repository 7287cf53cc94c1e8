package dev.fairlead.lab.soak.cluster;

import dev.fairlead.lab.soak.cluster.Answers.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the API server through one {@code kubectl proxy}: a program for each question would take the processors that the
 * cluster needs.
 */
public final class SoakApi implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("Starting to serve on 127\\.0\\.0\\.1:([0-9]+)");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process proxy;
    private final HttpClient client;
    private final URI base;

    /** Starts the proxy; throws if it does not serve. */
    public SoakApi() throws IOException {
        String kube = Path.of("lab/kube").toAbsolutePath().toString();
        this.proxy = new ProcessBuilder(kube, "kubectl", "proxy", "--port=0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = proxy.inputReader(StandardCharsets.UTF_8);
        String line = said.readLine();
        Matcher serves = SERVES.matcher(line == null ? "" : line.strip());
        if (!serves.matches()) {
            proxy.destroy();
            throw new IOException("kubectl proxy does not serve; it said: " + line);
        }
        this.base = URI.create("http://127.0.0.1:" + serves.group(1));
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
    }

    Answer get(String path) throws IOException {
        return send(HttpRequest.newBuilder(base.resolve(path)).GET());
    }

    Answer post(String path, String yaml) throws IOException {
        return send(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(yaml)));
    }

    Answer patch(String path, String json) throws IOException {
        return send(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString(json)));
    }

    Answer delete(String path) throws IOException {
        return send(HttpRequest.newBuilder(base.resolve(path)).DELETE());
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        try {
            var answer = client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        proxy.destroy();
    }
}
