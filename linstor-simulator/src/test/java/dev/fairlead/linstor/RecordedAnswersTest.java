package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linstor.check.AnswerComparison;
import dev.fairlead.linstor.check.RecordedAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays what a real LINSTOR was asked, and holds the simulator to what that answered, in shape and words. */
class RecordedAnswersTest {
    /**
     * Says where the recording was made while nothing else stood still: nodes came back one by one (21), a node was of
     * no use (65: one replica did not become ready; 72: it came back with it), other resources were there that the
     * recording does not make (97), and each cluster has its own reports of errors (100).
     */
    private static final Map<Integer, String> KIND_ONLY = Map.of(
            21, "nodes come back one by one",
            65, "a node did not become ready",
            72, "the tie breaker came back with it",
            97, "other resources were there",
            100, "what had gone wrong there");

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void each_recorded_request_is_answered_as_the_real_one_did() throws Exception {
        List<String> wrong = new ArrayList<>();
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 0)) {
            simulator.order("drbd", "on", false);
            for (RecordedAnswer recorded : RecordedAnswer.all()) {
                between(simulator, recorded.number());
                HttpResponse<String> got = ask(simulator.url(), recorded);
                String type = got.headers().firstValue("Content-Type").orElse("");
                boolean exact = !KIND_ONLY.containsKey(recorded.number());
                AnswerComparison.differences(recorded, got.statusCode(), type, got.body(), exact).stream()
                        .map(difference -> recorded + "\n  " + difference)
                        .forEach(wrong::add);
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** Does what the people at the real one did between two requests. */
    private void between(LinstorSimulator simulator, int next) throws Exception {
        switch (next) {
            case 15 -> List.of("node-1", "node-2").forEach(node -> simulator.order("mute", "node", node));
            case 22 -> List.of("node-1", "node-2").forEach(node -> simulator.order("back", "node", node));
            case 65 -> simulator.order("drbd", "on", true);
            case 70, 72 -> Thread.sleep(200); // until the disk is there, and until the data has moved
            case 73 -> {
                Thread.sleep(100);
                simulator.order("primary", "resource", "vol-d1", "node", "node-1", "on", true);
            }
            case 89 -> simulator.order("primary", "resource", "vol-d1", "node", "node-1", "on", false);
            case 92 -> simulator.order("lose", "node", "node-3");
            default -> {}
        }
    }

    private HttpResponse<String> ask(URI url, RecordedAnswer recorded) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + recorded.path()))
                .method(recorded.method(), HttpRequest.BodyPublishers.ofString(recorded.body()))
                .header("Content-Type", "application/json")
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
