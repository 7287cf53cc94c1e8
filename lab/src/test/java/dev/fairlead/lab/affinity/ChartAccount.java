package dev.fairlead.lab.affinity;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.lab.LoopbackApi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Makes the service account that the chart gives to {@code fairlead affinity} in a real API server, with the roles that
 * the chart renders, and tells by the server's audit log what of them was used.
 */
final class ChartAccount {
    static final String LEASE = "fairlead-affinity";
    private static final String NAME = "system:serviceaccount:default:fairlead-affinity";

    private final LoopbackApi api;
    private final Path log;
    private final Path kubeconfig;
    private final String token;

    private ChartAccount(LoopbackApi api, Path log, Path kubeconfig, String token) {
        this.api = api;
        this.log = log;
        this.kubeconfig = kubeconfig;
        this.token = token;
    }

    /** Returns these options of an API server, and those by which it notes who asked what. */
    static String[] audit(Path folder, String... more) throws IOException {
        Files.createDirectories(folder);
        Path policy = Files.writeString(folder.resolve("audit.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitStages: [RequestReceived]
                rules:
                - level: Metadata
                  users: ["%s"]
                - level: None
                """.formatted(NAME));
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--audit-policy-file=" + policy);
        options.add("--audit-log-path=" + folder.resolve("audit.log"));
        return options.toArray(String[]::new);
    }

    /** Renders the chart, applies what it makes for the process, and takes a token of the account. */
    static ChartAccount in(LoopbackApi api, Path folder) throws IOException, InterruptedException {
        api.apply(rendered());
        String token = api.kubectl("create", "token", "fairlead-affinity", "-n", "default", "--duration=2h")
                .strip();
        return new ChartAccount(api, folder.resolve("audit.log"), api.kubeconfig("affinity", token), token);
    }

    static Optional<String> lacking() {
        return LoopbackApi.program("helm").isPresent()
                ? Optional.empty()
                : Optional.of("helm was not built; run lab/kube build");
    }

    private static String rendered() throws IOException, InterruptedException {
        Path chart = Path.of("../deploy/chart").toRealPath();
        Process helm = new ProcessBuilder(
                        LoopbackApi.program("helm").orElseThrow().toString(),
                        "template",
                        "fairlead",
                        chart.toString(),
                        "--namespace=default",
                        "--kube-version=1.36.3",
                        "--set=affinity.enabled=true,affinity.linstor.endpoint=http://127.0.0.1:3370",
                        "--show-only=templates/affinity.yaml")
                .redirectErrorStream(true)
                .start();
        String text = new String(helm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!helm.waitFor(1, TimeUnit.MINUTES) || helm.exitValue() != 0) {
            throw new IOException("helm template: " + text);
        }
        return text;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    /** Returns what the account shows to the API server. */
    String token() {
        return token;
    }

    /** Returns each verb that the roles allow, as {@code group/resource verb}. */
    SortedSet<String> allowed() throws IOException, InterruptedException {
        SortedSet<String> allowed = new TreeSet<>();
        for (String kind : List.of("clusterroles", "roles")) {
            for (JsonElement role : parsed(api.kubectl(
                            "get", kind, "-n", "default", "-l", "app.kubernetes.io/instance=fairlead", "-o", "json"))
                    .getAsJsonArray("items")) {
                for (JsonElement rule : role.getAsJsonObject().getAsJsonArray("rules")) {
                    allowed.addAll(each(rule.getAsJsonObject()));
                }
            }
        }
        return allowed;
    }

    private static List<String> each(JsonObject rule) {
        List<String> found = new ArrayList<>();
        for (JsonElement group : rule.getAsJsonArray("apiGroups")) {
            for (JsonElement resource : rule.getAsJsonArray("resources")) {
                for (JsonElement verb : rule.getAsJsonArray("verbs")) {
                    found.add(group.getAsString() + "/" + resource.getAsString() + " " + verb.getAsString());
                }
            }
        }
        return found;
    }

    /** Returns each verb that the account has used, in the same words. */
    SortedSet<String> used() throws IOException {
        SortedSet<String> used = new TreeSet<>();
        for (JsonObject entry : entries()) {
            if (entry.has("objectRef") && code(entry) != 403) {
                used.add(what(entry));
            }
        }
        return used;
    }

    /** Returns what the account asked and may not do. */
    List<String> refused() throws IOException {
        return entries().stream()
                .filter(entry -> code(entry) == 403)
                .map(entry -> entry.has("objectRef") ? what(entry) : text(entry, "requestURI"))
                .distinct()
                .toList();
    }

    private List<JsonObject> entries() throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.endsWith("}"))
                .map(ChartAccount::parsed)
                .toList();
    }

    private static String what(JsonObject entry) {
        JsonObject object = entry.getAsJsonObject("objectRef");
        String below = object.has("subresource") ? "/" + text(object, "subresource") : "";
        return text(object, "apiGroup") + "/" + text(object, "resource") + below + " " + text(entry, "verb");
    }

    private static int code(JsonObject entry) {
        return entry.has("responseStatus")
                        && entry.getAsJsonObject("responseStatus").has("code")
                ? entry.getAsJsonObject("responseStatus").get("code").getAsInt()
                : 0;
    }

    private static String text(JsonObject object, String key) {
        return object.has(key) ? object.get(key).getAsString() : "";
    }

    private static JsonObject parsed(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }
}
