package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.k8s.affinity.ClusterVolumes;
import dev.fairlead.adapter.k8s.affinity.VolumeChanger;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.http.HttpClient;
import dev.fairlead.lab.LoopbackApi;
import dev.fairlead.linstor.LinstorSimulator;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows the real process, on a real API server and a simulated LINSTOR, everything that may be wrong with a volume:
 * each has an event with its code, and no object is deleted.
 */
@Tag("cluster")
class AffinityFindingsTest {
    private static final Duration LONG = Duration.ofSeconds(90);

    /** The volumes, by what is wrong with them, and the code that their events begin with. */
    private static final Map<String, String> CODES = new TreeMap<>(Map.ofEntries(
            Map.entry("missing", "FL-AFF-002"),
            Map.entry("ghost", "FL-AFF-003"),
            Map.entry("empty", "FL-AFF-004"),
            Map.entry("twin-a", "FL-AFF-005"),
            Map.entry("twin-b", "FL-AFF-005"),
            Map.entry("edited", "FL-AFF-006"),
            Map.entry("damaged", "FL-AFF-007"),
            Map.entry("newer", "FL-AFF-007"),
            Map.entry("stray", "FL-AFF-007"),
            Map.entry("other", "FL-AFF-008"),
            Map.entry("classless", "FL-AFF-009"),
            Map.entry("rubbish", "FL-AFF-010"),
            Map.entry("well", "FL-AFF-001")));

    private final java.net.http.HttpClient http = java.net.http.HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private @Nullable LoopbackApi started;
    private @Nullable LinstorSimulator linstor;
    private @Nullable Process running;

    @BeforeEach
    void start() throws Exception {
        AffinityWorld.needed();
        started = LoopbackApi.start(folder.resolve("api"), ChartAccount.audit(folder.resolve("api")));
        started.startVolumeControllers();
        linstor = LinstorSimulator.start(Files.createDirectory(folder.resolve("linstor")), 0, 0, 0);
        for (String node : List.of("node-1", "node-2", "node-ghost")) {
            call("/v1/nodes", """
                    {"name": "%1$s", "type": "SATELLITE",
                     "net_interfaces": [{"name": "default", "address": "127.0.0.1"}]}""".formatted(node));
            call("/v1/nodes/" + node + "/storage-pools", """
                    {"storage_pool_name": "thin", "provider_kind": "FILE_THIN"}""");
        }
        call("/v1/resource-groups", """
                {"name": "drbd", "select_filter": {"storage_pool": "thin", "layer_stack": ["DRBD", "STORAGE"]}}""");
        for (String name : CODES.keySet()) {
            if (!name.equals("missing")) {
                resource(name);
            }
        }
    }

    @AfterEach
    void end() {
        if (running != null) {
            running.destroyForcibly();
        }
        if (linstor != null) {
            linstor.close();
        }
        if (started != null) {
            started.close();
        }
    }

    @Test
    void each_bad_input_has_its_event_and_nothing_is_deleted() throws Exception {
        within(() -> !api().kubectl("get", "namespace", "default", "-o", "name").isEmpty());
        ChartAccount account = ChartAccount.in(api(), folder.resolve("api"));
        api().apply(manifest());
        within(() -> objects("pv").stream()
                .allMatch(volume -> volume.getAsJsonObject("status").toString().contains("\"Bound\"")));
        for (String name : List.of("edited", "damaged", "newer")) {
            begun(name);
        }
        api().kubectl("annotate", "pv", "edited", "example.com/by=hand");
        api().kubectl("patch", "configmap", map("damaged"), "--type=merge", "-p", "{\"data\": {\"original\": \"{\"}}");
        api().kubectl("patch", "configmap", map("newer"), "--type=merge", "-p", "{\"data\": {\"format\": \"2\"}}");
        api().kubectl("annotate", "pv", "stray", "other", "fairlead.dev/affinity-intent=fairlead-affinity-0");
        Map<String, String> before = uids();

        running = process(account.kubeconfig());
        within(() -> missing().stream().allMatch("well"::equals));
        linstor().fault("{\"kind\": \"html\", \"on\": \"GET /v1/nodes\"}");
        within(() -> missing().isEmpty());

        assertThat(uids()).isEqualTo(before);
        assertThat(account.refused()).as("what it asked and may not").isEmpty();
        assertThat(Files.readString(folder.resolve("affinity.log"))).contains("FL-AFF-002", "FL-AFF-007");
    }

    /** The volumes of which there is no event with their code yet, on the volume or on its claim. */
    private List<String> missing() throws Exception {
        List<JsonObject> events = objects("events");
        List<String> missing = new ArrayList<>();
        CODES.forEach((name, code) -> {
            for (String kind : List.of("PersistentVolume", "PersistentVolumeClaim")) {
                if (events.stream().noneMatch(event -> isAbout(event, kind, name, code))) {
                    missing.add(name);
                }
            }
        });
        return missing;
    }

    private static boolean isAbout(JsonObject event, String kind, String name, String code) {
        JsonObject about = event.getAsJsonObject("involvedObject");
        return about.get("kind").getAsString().equals(kind)
                && about.get("name").getAsString().equals(name)
                && event.get("message").getAsString().startsWith(code + " ");
    }

    private void resource(String name) throws Exception {
        call("/v1/resource-definitions", """
                {"resource_definition": {"name": "%s", "resource_group_name": "drbd"}}""".formatted(name));
        call("/v1/resource-definitions/" + name + "/volume-definitions", """
                {"volume_definition": {"volume_number": 0, "size_kib": 20480}}""");
        if (!name.equals("empty")) {
            String node = name.equals("ghost") ? "node-ghost" : name.equals("other") ? "node-2" : "node-1";
            call("/v1/resource-definitions/" + name + "/autoplace", """
                    {"select_filter": {"place_count": 1, "node_name_list": ["%s"]}}""".formatted(node));
        }
    }

    private String manifest() {
        StringBuilder manifest = new StringBuilder("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: local}
                provisioner: linstor.csi.linbit.com
                parameters: {allowRemoteVolumeAccess: "false"}
                ---
                """);
        for (String node : List.of("node-1", "node-2")) {
            manifest.append("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: %1$s, labels: {linbit.com/hostname: %1$s}}
                    ---
                    """.formatted(node));
        }
        CODES.keySet()
                .forEach(name -> manifest.append("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata:
                      name: %1$s
                      annotations: {pv.kubernetes.io/provisioned-by: linstor.csi.linbit.com, "%4$s": "- {["}
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      persistentVolumeReclaimPolicy: Delete
                      storageClassName: %3$s
                      claimRef: {namespace: default, name: %1$s}
                      csi: {driver: linstor.csi.linbit.com, volumeHandle: "%2$s"}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms:
                          - matchExpressions: [{key: linbit.com/hostname, operator: In, values: [node-1]}]
                    ---
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: %1$s, namespace: default}
                    spec:
                      accessModes: [ReadWriteOnce]
                      storageClassName: %3$s
                      volumeName: %1$s
                      resources: {requests: {storage: 1Gi}}
                    ---
                    """.formatted(
                                name,
                                name.startsWith("twin") ? "twin-a" : name,
                                name.equals("classless") ? "gone" : "local",
                                name.equals("rubbish") ? "override.piraeus.io" : "example.com/none")));
        return manifest.toString();
    }

    /** Leaves a replacement that was begun and cut before anything was deleted. */
    private void begun(String name) {
        String file = api().adminKubeconfig().toString();
        ApiClient client = new ApiClient(
                ClusterAccess.read(key -> key.equals("KUBECONFIG") ? file : "", folder), HttpClient.USUAL_BACKOFF);
        Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofMillis(200));
        ClusterVolumes now = new ClusterVolumes(
                client,
                _ -> true,
                new ObjectFeed.Times(Duration.ofSeconds(20), LONG, LONG, backoff, Duration.ofSeconds(1)),
                _ -> {});
        now.list();
        KnownVolume volume = now.volume(name).orElseThrow();
        NodeAffinity to = NodeAffinity.of(new VolumePlacement.Labelled("linbit.com/hostname"))
                .orElseThrow();
        ApiCalls cut = (request, patience) -> {
            if (request.what().startsWith("noting a step")) {
                throw new IllegalStateException("cut");
            }
            return client.ask(request, patience);
        };
        try {
            new VolumeChanger(cut, "default", _ -> true, LONG, LONG, backoff, ReplacementListener.NONE)
                    .change(
                            new AffinityChange(name, volume.uid(), volume.affinity(), to, "x", "y", Optional.empty()),
                            _ -> true);
        } catch (IllegalStateException _) {
            return;
        }
        throw new AssertionError(name + " was replaced");
    }

    private String map(String volume) throws Exception {
        return objects("configmap").stream()
                .filter(map -> map.has("data") && map.getAsJsonObject("data").has("volume"))
                .filter(map ->
                        map.getAsJsonObject("data").get("volume").getAsString().equals(volume))
                .map(map -> map.getAsJsonObject("metadata").get("name").getAsString())
                .findFirst()
                .orElseThrow();
    }

    private Process process(Path kubeconfig) throws IOException {
        List<String> words = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fairlead.bootstrap.Main",
                "affinity",
                "--namespace=default",
                "--settle=0",
                "--reconcile-rate=1s",
                "--limit-percent=100");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment()
                .put("LS_CONTROLLERS", "127.0.0.1:" + linstor().url().getPort());
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "affinity.log")))
                .start();
    }

    private LoopbackApi api() {
        return Objects.requireNonNull(started);
    }

    private LinstorSimulator linstor() {
        return Objects.requireNonNull(linstor);
    }

    private void call(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(linstor().url() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isLessThan(300);
    }

    private List<JsonObject> objects(String kind) throws Exception {
        return JsonParser.parseString(api().kubectl("get", kind, "-o", "json"))
                .getAsJsonObject()
                .getAsJsonArray("items")
                .asList()
                .stream()
                .map(item -> item.getAsJsonObject())
                .toList();
    }

    private Map<String, String> uids() throws Exception {
        Map<String, String> uids = new TreeMap<>();
        objects("pv").forEach(volume -> {
            JsonObject metadata = volume.getAsJsonObject("metadata");
            uids.put(
                    metadata.get("name").getAsString(),
                    metadata.get("uid").getAsString() + metadata.has("deletionTimestamp"));
        });
        return uids;
    }

    private void within(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                Path log = folder.resolve("affinity.log");
                throw new AssertionError(missing() + " " + (Files.exists(log) ? Files.readString(log) : ""));
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }
}
