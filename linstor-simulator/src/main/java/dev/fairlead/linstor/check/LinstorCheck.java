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
import java.util.TreeMap;
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
            "rsc-del-again",
            "del-snap-again",
            "clone-status",
            "rd-props",
            "node-lost",
            "stats",
            "events-unknown");

    /** The lists of which only the fields and their kinds are compared. */
    private static final Map<String, String> LISTS = new TreeMap<>(Map.of(
            "nodes", "/v1/nodes",
            "rds", "/v1/resource-definitions?with_volume_definitions=true",
            "snaps", "/v1/view/snapshots",
            "sp-view", "/v1/view/storage-pools"));

    private final URI server;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String mark = "fairlead-check-" + UUID.randomUUID().toString().substring(0, 8);

    public LinstorCheck(URI server) {
        this.server = server;
    }

    /**
     * Says how one request was answered.
     *
     * @param request the method and the path
     * @param differences what differs from the recorded answer, in words
     */
    public record Row(String label, String request, List<String> differences) {
        /** Returns one line of a table, and a line for each difference below it. */
        @Override
        public String toString() {
            String line = "%-24s %-9s %s".formatted(label, differences.isEmpty() ? "same" : "DIFFERENT", request);
            return differences.isEmpty() ? line : line + "\n    " + String.join("\n    ", differences);
        }
    }

    /** Returns one row for each request; the resource definition and the group that it made are removed again. */
    public List<Row> rows() throws IOException, InterruptedException {
        List<Row> found = new ArrayList<>();
        try {
            List<RecordedAnswer> all = RecordedAnswer.all();
            for (String label : EVERYWHERE) {
                RecordedAnswer recorded = all.stream()
                        .filter(each -> each.label().equals(label))
                        .findFirst()
                        .orElseThrow();
                found.add(compared(ours(recorded)));
            }
            for (Map.Entry<String, String> list : LISTS.entrySet()) {
                found.add(new Row(list.getKey(), "GET " + list.getValue(), shape(all, list)));
            }
        } finally {
            send("DELETE", "/v1/resource-definitions/" + mark, "");
            send("DELETE", "/v1/resource-groups/" + mark + "-group", "");
        }
        return found;
    }

    /** Returns a request for what is ours instead of what the recording had. */
    private RecordedAnswer ours(RecordedAnswer recorded) {
        return recorded.renamed("pvc-1", mark)
                .renamed("vol-d1", mark)
                .renamed("sc-a", mark + "-group")
                .renamed("node-3", mark + "-node");
    }

    private Row compared(RecordedAnswer recorded) throws IOException, InterruptedException {
        HttpResponse<String> got = send(recorded.method(), recorded.path(), recorded.body());
        String type = got.headers().firstValue("Content-Type").orElse("");
        return new Row(
                recorded.label(),
                recorded.method() + " " + recorded.path(),
                AnswerComparison.differences(recorded, got.statusCode(), type, got.body(), false));
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
                    // Properties are the administrator's.
                    .filter(difference -> !difference.contains("props."))
                    .toList();
        } catch (JsonParseException _) {
            return List.of("no JSON");
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
