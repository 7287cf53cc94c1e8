package dev.fairlead.linstor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads the lines of a stream of events. */
final class Listening implements AutoCloseable {
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final HttpClient http = HttpClient.newHttpClient();

    static Listening to(String url) throws IOException, InterruptedException {
        Listening made = new Listening();
        var answer = made.http.send(
                HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofInputStream());
        Thread.ofVirtual().start(() -> {
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                reader.lines().filter(line -> !line.isBlank()).forEach(made.lines::add);
            } catch (IOException | java.io.UncheckedIOException _) {
                // It broke off; that it ended is all that the tests want to know.
            }
            made.lines.add("ended");
        });
        Thread.sleep(100);
        return made;
    }

    String next() throws InterruptedException {
        return next(5000);
    }

    String next(long millis) throws InterruptedException {
        String line = lines.poll(millis, TimeUnit.MILLISECONDS);
        return line == null ? "nothing" : line;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
