package dev.fairlead.linstor;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** A cluster of three nodes with a pool each, as it is asked by HTTP. */
final class ThreeNodes {
    private final LinstorSimulator simulator;
    private final HttpClient http = HttpClient.newHttpClient();

    ThreeNodes(LinstorSimulator simulator) {
        this.simulator = simulator;
    }

    static ThreeNodes of(LinstorSimulator simulator) throws IOException, InterruptedException {
        ThreeNodes made = new ThreeNodes(simulator);
        for (int at = 1; at <= 3; at++) {
            made.call("POST", "/v1/nodes", """
                    {"name": "node-%1$d", "props": {"Aux/topology/kubernetes.io/hostname": "node-%1$d"},
                     "net_interfaces": [{"name": "default", "address": "127.0.0.1%1$d",
                      "satellite_port": 3366, "satellite_encryption_type": "PLAIN"}]}""".formatted(at));
            made.call(
                    "POST",
                    "/v1/nodes/node-" + at + "/storage-pools",
                    "{\"storage_pool_name\": \"thin\", \"provider_kind\": \"FILE_THIN\"}");
        }
        made.call("POST", "/v1/resource-groups", """
                {"name": "drbd", "select_filter": {"storage_pool": "thin", "layer_stack": ["DRBD", "STORAGE"]}}""");
        return made;
    }

    /** Makes a resource with two replicas and, by itself, a third that has no disk. */
    void replicated(String name, String... nodes) throws IOException, InterruptedException {
        call(
                "POST",
                "/v1/resource-definitions",
                "{\"resource_definition\": {\"name\": \"%s\", \"resource_group_name\": \"drbd\"}}".formatted(name));
        call(
                "POST",
                "/v1/resource-definitions/" + name + "/volume-definitions",
                "{\"volume_definition\": {\"volume_number\": 0, \"size_kib\": 20480}}");
        call(
                "POST",
                "/v1/resource-definitions/" + name + "/autoplace",
                "{\"select_filter\": {\"place_count\": %d, \"node_name_list\": [\"%s\"]}}"
                        .formatted(nodes.length, String.join("\", \"", nodes)));
    }

    /** Returns all views of a resource for a while, each once. */
    List<String> watched(String name, long millis) throws IOException, InterruptedException {
        List<String> seen = new ArrayList<>();
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            String now = seen(name);
            if (seen.isEmpty() || !seen.getLast().equals(now)) seen.add(now);
        }
        return seen;
    }

    String seen(String name) throws IOException, InterruptedException {
        String answer = call("GET", "/v1/view/resources?resources=" + name, "");
        StringJoiner seen = new StringJoiner(" ");
        for (JsonElement each : JsonParser.parseString(answer.substring(4)).getAsJsonArray()) {
            JsonObject replica = each.getAsJsonObject();
            JsonObject volume = replica.getAsJsonArray("volumes").get(0).getAsJsonObject();
            String state = text(child(volume, "state"), "disk_state");
            seen.add(text(replica, "node_name") + texts(replica, "flags") + (state.isEmpty() ? "none" : state));
        }
        return seen.toString();
    }

    String call(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(simulator.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
