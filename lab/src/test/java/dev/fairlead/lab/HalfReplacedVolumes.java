package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.LinstorSimulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Volumes of a simulated LINSTOR on a real API server, as LINSTOR's affinity controller leaves them if it is killed.
 */
record HalfReplacedVolumes(LoopbackApi api, LinstorSimulator linstor) {
    private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    /** What the other controller does first. */
    static final String MARK = """
            {"spec": {"persistentVolumeReclaimPolicy": "Retain"},
             "metadata": {"annotations": {"linstor.csi.linbit.com/skip-reclaim": "true"}}}""";

    private static final Duration LONG = Duration.ofMinutes(2);

    /** How far the other controller came. */
    enum State {
        MARKED(6),
        TERMINATING(26),
        GONE(21),
        NEW(4);

        /** The calls to the API server that a takeover makes, at most. */
        private final int calls;

        State(int calls) {
            this.calls = calls;
        }

        int calls() {
            return calls;
        }
    }

    /** Does as the other controller does, up to a state, and keeps what that keeps. */
    void put(int index, State state, Map<String, JsonObject> before) throws Exception {
        String name = "pv-" + index;
        JsonObject record = keep(index, before);
        String its = "--field-manager=linstor-affinity-controller-v1";
        api.kubectl("patch", "pv", name, "--type=merge", its, "-p", MARK);
        if (state != State.MARKED) {
            api.kubectl("delete", "pv", name, "--wait=false");
        }
        if (state == State.GONE || state == State.NEW) {
            api.kubectl("patch", "pv", name, "--type=merge", its, "-p", "{\"metadata\": {\"finalizers\": null}}");
        }
        if (state == State.NEW) {
            api.apply(record.toString());
        }
    }

    /** Keeps what the other controller keeps of a volume before it changes that, and returns it. */
    JsonObject keep(int index, Map<String, JsonObject> before) throws Exception {
        JsonObject record = record(Objects.requireNonNull(before.get("pv-" + index)));
        JsonObject properties = new JsonObject();
        properties.addProperty("Aux/affinity-updater-saved-pv", record.toString());
        JsonObject change = new JsonObject();
        change.add("override_props", properties);
        linstor("PUT", "/v1/resource-definitions/vol-" + index + "/volume-definitions/0", change.toString());
        return record;
    }

    /** What the other controller keeps of a volume. */
    static JsonObject record(JsonObject volume) {
        JsonObject record = volume.deepCopy();
        record.remove("status");
        JsonObject metadata = record.getAsJsonObject("metadata");
        metadata.keySet().retainAll(List.of("name", "annotations", "labels", "finalizers"));
        metadata.getAsJsonObject("annotations").remove(APPLIED);
        JsonObject spec = record.getAsJsonObject("spec");
        spec.remove("mountOptions");
        spec.getAsJsonObject("csi").remove("nodeExpandSecretRef");
        spec.add("nodeAffinity", JsonParser.parseString("""
                {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                 {"key": "linbit.com/hostname", "operator": "In", "values": ["b"]}]}]}}"""));
        return record;
    }

    void volumes(int count) throws Exception {
        StringBuilder manifest = new StringBuilder();
        linstor("POST", "/v1/resource-groups", "{\"name\": \"plain\"}");
        for (int i = 0; i < count; i++) {
            linstor("POST", "/v1/resource-definitions", """
                    {"resource_definition": {"name": "vol-%d", "resource_group_name": "plain"}}""".formatted(i));
            linstor("POST", "/v1/resource-definitions/vol-" + i + "/volume-definitions", """
                    {"volume_definition": {"volume_number": 0, "size_kib": 20480}}""");
            manifest.append("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata:
                      name: pv-%1$d
                      labels: {a: b}
                      annotations: {pv.kubernetes.io/provisioned-by: linstor.csi.linbit.com}
                      finalizers: [external-attacher/linstor-csi-linbit-com, kubernetes.io/pv-protection]
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      mountOptions: [noatime]
                      persistentVolumeReclaimPolicy: %2$s
                      storageClassName: fast
                      claimRef: {namespace: default, name: claim-%1$d}
                      csi:
                        driver: linstor.csi.linbit.com
                        volumeHandle: vol-%1$d
                        volumeAttributes: {k: v}
                        nodeExpandSecretRef: {name: s, namespace: secrets}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms: [{matchExpressions: [{key: linbit.com/hostname, operator: In, values: [a]}]}]
                    ---
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: claim-%1$d, namespace: default}
                    spec:
                      accessModes: [ReadWriteOnce]
                      storageClassName: fast
                      volumeName: pv-%1$d
                      resources: {requests: {storage: 1Gi}}
                    ---
                    """.formatted(i, i % 4 == 3 ? "Retain" : "Delete"));
        }
        api.apply(manifest.toString());
        settle();
    }

    void settle() throws Exception {
        for (String kind : List.of("pvc", "pv")) {
            within(() -> objects(kind).values().stream()
                    .allMatch(object -> object.getAsJsonObject("status")
                            .get("phase")
                            .getAsString()
                            .equals("Bound")));
        }
    }

    private void linstor(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(linstor.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        }
    }

    Map<String, JsonObject> objects(String kind) throws Exception {
        Map<String, JsonObject> all = new TreeMap<>();
        JsonParser.parseString(api.kubectl("get", kind, "-o", "json"))
                .getAsJsonObject()
                .getAsJsonArray("items")
                .forEach(item -> all.put(
                        item.getAsJsonObject()
                                .getAsJsonObject("metadata")
                                .get("name")
                                .getAsString(),
                        item.getAsJsonObject()));
        return all;
    }

    /** What has to be the same before and after: all but what the server and its controllers give. */
    static JsonObject kept(JsonObject volume) {
        JsonObject kept = volume.deepCopy();
        kept.remove("status");
        JsonObject metadata = kept.getAsJsonObject("metadata");
        metadata.keySet().retainAll(List.of("name", "annotations", "labels", "finalizers"));
        metadata.getAsJsonObject("annotations").remove(APPLIED);
        metadata.getAsJsonArray("finalizers")
                .asList()
                .sort((a, b) -> a.getAsString().compareTo(b.getAsString()));
        return kept;
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    static void within(Condition condition) throws Exception {
        long end = System.nanoTime() + LONG.toNanos();
        while (true) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (RuntimeException | IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
