package dev.fairlead.linstor.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import dev.fairlead.linstor.cluster.Cluster;
import dev.fairlead.linstor.cluster.Copies;
import dev.fairlead.linstor.cluster.Definitions;
import dev.fairlead.linstor.cluster.Moves;
import dev.fairlead.linstor.cluster.Nodes;
import dev.fairlead.linstor.cluster.Placing;
import dev.fairlead.linstor.cluster.Replicas;
import dev.fairlead.linstor.cluster.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds who answers a call: by method and path, as LINSTOR's REST API has them. */
final class Routes {
    private static final String DEFINITIONS = "/v1/resource-definitions";
    private static final String DEFINITION = DEFINITIONS + "/([^/]+)";
    private static final String VOLUMES = DEFINITION + "/volume-definitions";
    private static final String REPLICA = DEFINITION + "/resources/([^/]+)";
    private static final String NODE = "/v1/nodes/([^/]+)";

    private static final List<String> OF_A_DEFINITION =
            List.of("drbd_port", "resource_definition", "drbd_secret", "drbd_peer_slots", "drbd_transport_type");

    private final Cluster cluster;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(String method, Pattern path, Function<LinstorCall, RestAnswer> handler) {}

    Routes(Cluster cluster) {
        this.cluster = cluster;
        readings();
        changes();
    }

    private void readings() {
        Readings show = new Readings(cluster);
        add("GET", "/", _ -> RestAnswer.text("<html><title>Linstor REST server</title><body></body></html>"));
        add("GET", "/v1/controller/version", _ -> show.version());
        add("GET", "/v1/controller/properties", _ -> show.controllerProperties());
        add("GET", "/v1/nodes", show::nodes);
        add("GET", NODE, show::node);
        add("GET", NODE + "/storage-pools", show::poolsOfANode);
        add("GET", NODE + "/net-interfaces", show::interfaces);
        add("GET", "/v1/view/storage-pools", show::pools);
        add("GET", "/v1/view/resources", show::resources);
        add("GET", "/v1/view/snapshots", show::snapshots);
        add("GET", "/v1/error-reports", show::reports);
        add("GET", "/v1/resource-groups", _ -> show.groups());
        add("GET", DEFINITIONS, show::definitions);
        add("GET", DEFINITION, show::definition);
        add("GET", VOLUMES, show::volumeDefinitions);
        add("GET", VOLUMES + "/([0-9]+)", show::volumeDefinition);
        add("GET", DEFINITION + "/resources", show::replicas);
        add("GET", REPLICA, show::replica);
        add("GET", REPLICA + "/volumes/([0-9]+)", show::volume);
    }

    private void changes() {
        Nodes nodes = new Nodes(cluster);
        Definitions definitions = new Definitions(cluster);
        Placing placing = new Placing(cluster);
        Replicas replicas = new Replicas(cluster);
        Moves moves = new Moves(cluster);
        copies();
        add("POST", "/v1/nodes", call -> nodes.create(call.body()));
        add("PUT", NODE, call -> nodes.modify(call.part(0), call.body()));
        add("POST", NODE + "/storage-pools", call -> nodes.createPool(call.part(0), call.body()));
        add("PUT", NODE + "/evacuate", call -> moves.evacuate(call.part(0)));
        add("PUT", NODE + "/restore", call -> moves.restore(call.part(0)));
        add("DELETE", NODE, call -> replicas.deleteNode(call.part(0), false));
        add("DELETE", NODE + "/lost", call -> replicas.deleteNode(call.part(0), true));
        add("POST", "/v1/resource-groups", call -> definitions.createGroup(call.body()));
        add("DELETE", "/v1/resource-groups/([^/]+)", call -> definitions.deleteGroup(call.part(0)));
        add(
                "POST",
                DEFINITIONS,
                call -> foreign(call.body()) == null ? definitions.create(call.body()) : refused(call));
        add("PUT", DEFINITION, call -> definitions.modify(call.part(0), call.body()));
        add("DELETE", DEFINITION, call -> replicas.deleteDefinition(call.part(0)));
        add("POST", VOLUMES, call -> definitions.createVolume(call.part(0), call.body()));
        add("PUT", VOLUMES + "/([0-9]+)", call -> definitions.modifyVolume(call.part(0), call.part(1), call.body()));
        add("POST", DEFINITION + "/autoplace", call -> placing.autoplace(call.part(0), call.body()));
        add(
                "POST",
                REPLICA + "/make-available",
                call -> placing.makeAvailable(call.part(0), call.part(1), call.body()));
        add(
                "PUT",
                REPLICA + "/toggle-disk/diskful/([^/]+)",
                call -> moves.addDisk(call.part(0), call.part(1), call.part(2)));
        add("DELETE", REPLICA, call -> replicas.delete(call.part(0), call.part(1), call.is("keep_tiebreaker")));
    }

    private void copies() {
        Snapshots snapshots = new Snapshots(cluster);
        Copies copies = new Copies(cluster);
        String restore = DEFINITION + "/snapshot-restore-";
        add("POST", "/v1/actions/snapshot/multi", call -> snapshots.take(call.body()));
        add("DELETE", DEFINITION + "/snapshots/([^/]+)", call -> snapshots.delete(call.part(0), call.part(1)));
        add(
                "POST",
                restore + "volume-definition/([^/]+)",
                call -> copies.restoreVolumes(call.part(0), call.part(1), call.body()));
        add("POST", restore + "resource/([^/]+)", call -> copies.restore(call.part(0), call.part(1), call.body()));
        add("POST", DEFINITION + "/clone", call -> copies.clone(call.part(0), call.body()));
        add("GET", DEFINITION + "/clone/([^/]+)", _ -> copies.cloneStatus());
    }

    private void add(String method, String path, Function<LinstorCall, RestAnswer> handler) {
        entries.add(new Entry(method, Pattern.compile(path), handler));
    }

    RestAnswer answer(String method, String path, Map<String, List<String>> query, String text) {
        for (Entry entry : entries) {
            Matcher fits = entry.path().matcher(path);
            if (!entry.method().equals(method) || !fits.matches()) continue;
            List<String> parts = new ArrayList<>();
            for (int at = 1; at <= fits.groupCount(); at++) parts.add(fits.group(at));
            JsonObject body;
            try {
                JsonElement read = text.isBlank() ? new JsonObject() : JsonParser.parseString(text);
                if (!read.isJsonObject()) return badJson(wrongStart(path));
                body = read.getAsJsonObject();
            } catch (JsonParseException _) {
                return badJson("Unexpected character");
            }
            return entry.handler().apply(new LinstorCall(method, path, parts, query, body));
        }
        return new Messages()
                .add(ReturnCode.ERROR | ReturnCode.UNKNOWN_ERROR, "Path '%s' not found on server.".formatted(path))
                .with("details", "HTTP 404 Not Found")
                .withStatus(404);
    }

    private static String wrongStart(String path) {
        return "Cannot deserialize value of type `com.linbit.linstor.api.rest.v1.serializer.JsonGenTypes$%s` from Array value (token `JsonToken.START_ARRAY`)\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 1]"
                .formatted(path.equals(DEFINITIONS) ? "ResourceDefinitionCreate" : "GenericPropsModify");
    }

    private static @Nullable String foreign(JsonObject body) {
        return body.keySet().stream()
                .filter(key -> !OF_A_DEFINITION.contains(key))
                .findFirst()
                .orElse(null);
    }

    private RestAnswer refused(LinstorCall call) {
        String type = "com.linbit.linstor.api.rest.v1.serializer.JsonGenTypes$ResourceDefinitionCreate";
        String known = String.join(
                ", ", OF_A_DEFINITION.stream().map("\"%s\""::formatted).toList());
        return badJson(("Unrecognized field \"%s\" (class %s), not marked as ignorable (%d known properties: %s)\n"
                        + " at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 53]"
                        + " (through reference chain: %s[\"%s\"])")
                .formatted(foreign(call.body()), type, OF_A_DEFINITION.size(), known, type, foreign(call.body())));
    }

    private RestAnswer badJson(String details) {
        return new Messages()
                .add(ReturnCode.BAD_JSON, "Unable to parse input json.")
                .with("details", details)
                .reported(cluster.report())
                .withStatus(400);
    }

    /** Returns the list of a page: of all, those that the parameters "limit" and "offset" leave. */
    static RestAnswer page(LinstorCall call, List<JsonObject> all) {
        JsonArray shown = new JsonArray();
        int limit = call.number("limit", 0);
        all.stream()
                .skip(call.number("offset", 0))
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .forEach(shown::add);
        return RestAnswer.of(200, shown);
    }
}
