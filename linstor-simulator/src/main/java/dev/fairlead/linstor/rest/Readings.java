package dev.fairlead.linstor.rest;

import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import dev.fairlead.linstor.cluster.Cluster;
import dev.fairlead.linstor.cluster.Definitions;
import dev.fairlead.linstor.cluster.Nodes;
import dev.fairlead.linstor.cluster.Replicas;
import dev.fairlead.linstor.cluster.Snapshots;
import dev.fairlead.linstor.cluster.Views;
import dev.fairlead.linstor.state.LinstorJson;
import dev.fairlead.linstor.state.LinstorRows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Answers the calls that only read. */
final class Readings {
    private final LinstorRows rows;
    private final Nodes nodes;
    private final Snapshots snapshots;
    private final Views views;

    Readings(Cluster cluster) {
        this.rows = cluster.rows();
        this.nodes = new Nodes(cluster);
        this.snapshots = new Snapshots(cluster);
        this.views = new Views(cluster);
    }

    RestAnswer version() {
        return RestAnswer.of(
                200,
                object(
                        "version",
                        "1.33.1",
                        "git_hash",
                        "35cabe3",
                        "build_time",
                        "2026-05-22T00:00:00+00:00",
                        "rest_api_version",
                        "1.28.0"));
    }

    /** Shows the settings that a controller has from the start. */
    RestAnswer controllerProperties() {
        try (InputStream in = Readings.class.getResourceAsStream("/dev/fairlead/linstor/controller-properties.json")) {
            if (in == null) throw new IllegalStateException("the controller's properties are not there");
            return RestAnswer.of(200, JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException("the controller's properties cannot be read", e);
        }
    }

    RestAnswer snapshots(LinstorCall call) {
        List<String> wanted = call.all("resources");
        List<String> onNodes = call.all("nodes");
        return Routes.page(
                call,
                snapshots.views().stream()
                        .filter(one -> wanted.isEmpty() || wanted.contains(text(one, "resource_name")))
                        .filter(one -> onNodes.isEmpty()
                                || LinstorJson.texts(one, "nodes").stream().anyMatch(onNodes::contains))
                        .toList());
    }

    /** Lists what went wrong, the last first. */
    RestAnswer reports(LinstorCall call) {
        return Routes.page(call, rows.below("report/").reversed());
    }

    RestAnswer nodes(LinstorCall call) {
        List<String> wanted = call.all("nodes");
        return Routes.page(
                call,
                names("node/").stream()
                        .filter(node -> wanted.isEmpty() || wanted.contains(node))
                        .map(nodes::view)
                        .toList());
    }

    RestAnswer node(LinstorCall call) {
        return has("node/" + call.part(0)) ? RestAnswer.of(200, nodes.view(call.part(0))) : Nodes.unknown(call.part(0));
    }

    RestAnswer interfaces(LinstorCall call) {
        return rows.row("node/" + call.part(0))
                .map(row -> RestAnswer.of(200, row.get("interfaces")))
                .orElseGet(() -> Nodes.unknown(call.part(0)));
    }

    RestAnswer poolsOfANode(LinstorCall call) {
        return has("node/" + call.part(0))
                ? RestAnswer.of(200, views.pools(List.of(call.part(0))))
                : Nodes.unknown(call.part(0));
    }

    RestAnswer pools(LinstorCall call) {
        List<String> wanted = call.all("nodes");
        List<JsonObject> all = new ArrayList<>();
        List<String> asked = names("node/").stream()
                .filter(node -> wanted.isEmpty() || wanted.contains(node))
                .toList();
        views.pools(asked).forEach(pool -> all.add(pool.getAsJsonObject()));
        return Routes.page(call, all);
    }

    RestAnswer resources(LinstorCall call) {
        List<String> onNodes = call.all("nodes");
        for (String node : onNodes) {
            if (has("node/" + node)) continue;
            return new Messages()
                    .add(ReturnCode.ERROR | ReturnCode.NO_NODE, "Node '%s' not found.".formatted(node))
                    .with("cause", "The specified node '%s' could not be found in the database".formatted(node))
                    .with("correction", "Create a node with the name '%s' first.".formatted(node))
                    .withStatus(404);
        }
        List<String> wanted = call.all("resources");
        List<JsonObject> found = rows.keys("resource/").stream()
                .map(key -> key.split("/", -1))
                .filter(parts -> wanted.isEmpty() || wanted.contains(parts[1]))
                .filter(parts -> onNodes.isEmpty() || onNodes.contains(parts[2]))
                .map(parts -> views.replica(parts[1], parts[2]))
                .toList();
        return Routes.page(call, found);
    }

    RestAnswer groups() {
        return RestAnswer.of(200, LinstorJson.list(rows.below("group/")));
    }

    RestAnswer definitions(LinstorCall call) {
        List<String> wanted = call.all("resource_definitions");
        List<String> props = call.all("props");
        return Routes.page(
                call,
                names("definition/").stream()
                        .filter(name -> wanted.isEmpty() || wanted.contains(name))
                        .map(name -> views.definition(name, call.is("with_volume_definitions")))
                        .filter(shown -> props.stream().allMatch(LinstorJson.child(shown, "props")::has))
                        .toList());
    }

    RestAnswer definition(LinstorCall call) {
        return has("definition/" + call.part(0))
                ? RestAnswer.of(200, views.definition(call.part(0), false))
                : Definitions.unknown(call.part(0));
    }

    RestAnswer volumeDefinitions(LinstorCall call) {
        return has("definition/" + call.part(0))
                ? RestAnswer.of(200, views.volumeDefinitions(call.part(0)))
                : Definitions.unknown(call.part(0));
    }

    RestAnswer volumeDefinition(LinstorCall call) {
        if (!has("volume/" + call.part(0) + "/" + call.part(1))) return Definitions.unknown(call.part(0));
        return numbered(views.volumeDefinitions(call.part(0)).asList(), call.part(1));
    }

    RestAnswer replicas(LinstorCall call) {
        String name = call.part(0);
        if (!has("definition/" + name)) {
            return new Messages()
                    .add(
                            ReturnCode.ERROR | ReturnCode.NO_DEFINITION,
                            "Resource definition '%s' not found.".formatted(name))
                    .with(
                            "cause",
                            "The specified resource definition '%s' could not be found in the database".formatted(name))
                    .with("correction", "Create a resource definition with the name '%s' first.".formatted(name))
                    .withStatus(404);
        }
        return Routes.page(
                call,
                rows.keys("resource/" + name + "/").stream()
                        .map(key -> views.replica(name, key.substring(key.lastIndexOf('/') + 1)))
                        .toList());
    }

    RestAnswer replica(LinstorCall call) {
        return has("resource/" + call.part(0) + "/" + call.part(1))
                ? RestAnswer.of(200, views.replica(call.part(0), call.part(1)))
                : Replicas.unknown(call.part(0), call.part(1));
    }

    RestAnswer volume(LinstorCall call) {
        if (!has("resource/" + call.part(0) + "/" + call.part(1))) {
            return Replicas.unknown(call.part(0), call.part(1));
        }
        JsonObject replica = views.replica(call.part(0), call.part(1));
        return numbered(replica.getAsJsonArray("volumes").asList(), call.part(2));
    }

    private static RestAnswer numbered(List<JsonElement> all, String number) {
        return all.stream()
                .filter(each -> text(each.getAsJsonObject(), "volume_number").equals(number))
                .findFirst()
                .map(each -> RestAnswer.of(200, each))
                .orElseGet(() -> Definitions.unknown(number));
    }

    private boolean has(String key) {
        return rows.row(key).isPresent();
    }

    private List<String> names(String prefix) {
        return rows.keys(prefix).stream()
                .map(key -> key.substring(prefix.length()))
                .toList();
    }
}
