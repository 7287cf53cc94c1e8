package dev.fairlead.linstor.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Holds any LINSTOR to the recorded answers. It asks what needs no nodes of certain names, makes one resource
 * definition and one resource group of its own and removes them; it touches nothing else.
 */
public final class LinstorCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /** The labels of the requests that any cluster can be asked, in this order. */
    private static final List<String> EVERYWHERE = List.of(
            "unknown-path",
            "bad-json",
            "unknown-field",
            "rd-404",
            "rsc-404",
            "node-404",
            "view-filter-unknown",
            "view-filter-unknown-rsc",
            "rd-del-404",
            "rd-bad-name",
            "rg-create",
            "rg-again",
            "rd-create",
            "rd-again",
            "vd-create",
            "vd-again",
            "rsc-node-404",
            "prop-4096",
            "prop-4097",
            "prop-9000",
            "prop-back",
            "prop-del",
            "events-unknown");

    /** The lists of which only the fields and their kinds are compared. */
    private static final Map<String, String> LISTS = Map.of("nodes", "/v1/nodes", "sp-view", "/v1/view/storage-pools");

    private final URI server;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String mark = "fairlead-check-" + UUID.randomUUID().toString().substring(0, 8);

    public LinstorCheck(URI server) {
        this.server = server;
    }

    /** Returns what differs, in words; nothing if it answers as the real one did. */
    public List<String> differences() throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        try {
            List<RecordedAnswer> all = RecordedAnswer.all();
            for (String label : EVERYWHERE) {
                RecordedAnswer recorded = all.stream()
                        .filter(each -> each.label().equals(label))
                        .findFirst()
                        .orElseThrow();
                found.addAll(compared(ours(recorded), false));
            }
            for (Map.Entry<String, String> list : LISTS.entrySet()) found.addAll(shape(all, list));
        } finally {
            send("DELETE", "/v1/resource-definitions/" + mark, "");
            send("DELETE", "/v1/resource-groups/" + mark + "-group", "");
        }
        return found;
    }

    /** Returns a request for what is ours instead of what the recording had. */
    private RecordedAnswer ours(RecordedAnswer recorded) {
        return recorded.renamed("pvc-1", mark)
                .renamed("sc-a", mark + "-group")
                .renamed("'node-3'", "'" + mark + "-node'")
                .renamed("/node-3", "/" + mark + "-node");
    }

    private List<String> compared(RecordedAnswer recorded, boolean exact) throws IOException, InterruptedException {
        HttpResponse<String> got = send(recorded.method(), recorded.path(), recorded.body());
        String type = got.headers().firstValue("Content-Type").orElse("");
        return AnswerComparison.differences(recorded, got.statusCode(), type, got.body(), exact).stream()
                .map(difference ->
                        recorded.label() + ", " + recorded.method() + " " + recorded.path() + ": " + difference)
                .toList();
    }

    /**
     * Compares the last entry of a list, which is one of a pool with disks or of a node, with the recorded last one.
     */
    private List<String> shape(List<RecordedAnswer> all, Map.Entry<String, String> list)
            throws IOException, InterruptedException {
        RecordedAnswer recorded = all.stream()
                .filter(each -> each.label().equals(list.getKey()))
                .filter(each -> each.answer() instanceof JsonArray some && !some.isEmpty())
                .findFirst()
                .orElseThrow();
        HttpResponse<String> got = send("GET", list.getValue(), "");
        try {
            JsonElement there = JsonParser.parseString(got.body());
            if (!(there instanceof JsonArray some) || some.isEmpty()) return List.of();
            JsonArray last = new JsonArray();
            last.add(some.get(some.size() - 1));
            JsonArray wanted = new JsonArray();
            JsonArray known = recorded.answer().getAsJsonArray();
            wanted.add(known.get(known.size() - 1));
            RecordedAnswer one = new RecordedAnswer(
                    recorded.number(), recorded.label(), "GET", list.getValue(), "", 200, recorded.type(), wanted);
            String type = got.headers().firstValue("Content-Type").orElse("");
            return AnswerComparison.differences(one, got.statusCode(), type, last.toString(), false).stream()
                    // The properties of a node are its administrator's.
                    .filter(difference -> !difference.contains(".props."))
                    .map(difference -> list.getKey() + ", GET " + list.getValue() + ": " + difference)
                    .toList();
        } catch (JsonParseException _) {
            return List.of(list.getKey() + ": no JSON");
        }
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
