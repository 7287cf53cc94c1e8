package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.k8s.affinity.AffinityWriter;
import dev.fairlead.adapter.k8s.affinity.ClusterVolumes;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ObjectFeed;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.http.HttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes the affinity of volumes on a real API server with the real controllers of volumes and claims. */
@Tag("cluster")
class AffinityApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(200));

    @TempDir
    Path folder;

    private @Nullable LoopbackApi started;

    @BeforeEach
    void look() {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl", "kube-controller-manager")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " was not built; run lab/kube build"));
        }
    }

    @AfterEach
    void end() {
        if (started != null) {
            started.close();
        }
    }

    @Test
    void every_call_of_a_replacement_may_be_the_last() throws Exception {
        start();
        volumes(1);
        int calls = run(Integer.MAX_VALUE, false, 0).size();
        assertThat(phases("pv")).containsOnly("Bound");
        List<String> points = new ArrayList<>();
        int volumes = 1;
        for (boolean afterwards : new boolean[] {false, true}) {
            for (int at = 0; at < calls; at++) {
                points.add((afterwards ? "after " : "before ") + at);
            }
        }
        volumes(1 + points.size());
        List<JsonObject> before = objects("pv");
        for (boolean afterwards : new boolean[] {false, true}) {
            for (int at = 0; at < calls; at++) {
                run(at, afterwards, volumes++);
                run(Integer.MAX_VALUE, false, volumes - 1);
            }
        }
        System.out.println("kill points: " + points);

        settle();
        assertThat(phases("pvc")).containsOnly("Bound");
        assertThat(phases("pv")).containsOnly("Bound");
        assertThat(objects("configmap")).noneMatch(map -> name(map).startsWith("fairlead-affinity-"));
        List<JsonObject> after = objects("pv");
        assertThat(after).hasSameSizeAs(before);
        for (int i = 0; i < after.size(); i++) {
            assertThat(kept(after.get(i))).isEqualTo(kept(before.get(i)));
            assertThat(after.get(i).getAsJsonObject("spec").get("nodeAffinity").toString())
                    .contains("\"b\"")
                    .doesNotContain("\"a\"");
        }
    }

    @Test
    void with_the_gate_nothing_is_replaced() throws Exception {
        start("--feature-gates=MutablePVNodeAffinity=true");
        volumes(2);
        List<JsonObject> before = objects("pv");

        run(Integer.MAX_VALUE, false, 0);
        run(Integer.MAX_VALUE, false, 1);

        List<JsonObject> after = objects("pv");
        for (int i = 0; i < after.size(); i++) {
            assertThat(uid(after.get(i))).isEqualTo(uid(before.get(i)));
            assertThat(kept(after.get(i))).isEqualTo(kept(before.get(i)));
            assertThat(after.get(i).getAsJsonObject("spec").get("nodeAffinity").toString())
                    .contains("\"b\"");
        }
    }

    @Test
    void volumes_are_listed_once_however_often_a_watch_ends() throws Exception {
        start();
        volumes(60);
        ClusterVolumes seen = new ClusterVolumes(
                client(),
                "org.example.csi"::equals,
                new ObjectFeed.Times(PATIENCE, Duration.ofSeconds(1), LONG, BACKOFF),
                _ -> {});
        List<Thread> threads =
                seen.watches().stream().map(Thread.ofVirtual()::start).toList();
        eventually(() -> seen.lists() == 2 && seen.volumes().size() == 60);

        TimeUnit.SECONDS.sleep(4);
        api().kubectl("annotate", "pv", "pv-7", "fairlead.dev/affinity=paused");
        eventually(() -> seen.volume("pv-7").orElseThrow().use().paused().isPresent());
        api().kubectl("delete", "pv", "pv-8", "--wait=false");
        eventually(() -> seen.volume("pv-8").orElseThrow().use().deletionBegun());
        assertThat(seen.lists()).isEqualTo(2);
        threads.forEach(Thread::interrupt);
    }

    private void start(String... more) throws Exception {
        started = LoopbackApi.start(folder, more);
        started.startVolumeControllers();
        eventually(() ->
                !api().kubectl("get", "namespace", "default", "-o", "name").isEmpty());
    }

    private LoopbackApi api() {
        return Objects.requireNonNull(started);
    }

    /** Makes the volumes and claims from 0 up to this number, and waits until they are bound. */
    private void volumes(int count) throws Exception {
        StringBuilder manifest = new StringBuilder();
        int there = objects("pv").size();
        for (int i = there; i < count; i++) {
            manifest.append("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata:
                      name: pv-%1$d
                      labels: {a: b}
                      annotations: {pv.kubernetes.io/provisioned-by: org.example.csi}
                      finalizers: [external-attacher/org-example-csi, kubernetes.io/pv-protection]
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      mountOptions: [noatime, discard]
                      persistentVolumeReclaimPolicy: %2$s
                      storageClassName: fast
                      claimRef: {namespace: default, name: claim-%1$d}
                      csi:
                        driver: org.example.csi
                        volumeHandle: vol-%1$d
                        volumeAttributes: {k: v}
                        nodeExpandSecretRef: {name: s, namespace: secrets}
                        controllerExpandSecretRef: {name: s, namespace: secrets}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms: [{matchExpressions: [{key: example.com/host, operator: In, values: [a]}]}]
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
                    """.formatted(i, i % 2 == 0 ? "Delete" : "Retain"));
        }
        api().apply(manifest.toString());
        settle();
    }

    private void settle() throws Exception {
        List<String> last = new ArrayList<>();
        try {
            eventually(() -> {
                last.clear();
                last.addAll(phases("pvc"));
                last.addAll(phases("pv"));
                return last.stream().allMatch("Bound"::equals);
            });
        } catch (AssertionError e) {
            throw new AssertionError("phases of the claims, then of the volumes: " + last, e);
        }
    }

    /** What a process does from its start to its end, or until it is cut at one of its calls. */
    private List<String> run(int cutAt, boolean afterwards, int index) throws Exception {
        List<String> made = new ArrayList<>();
        ApiClient client = client();
        ApiCalls cut = (request, patience) -> {
            made.add(request.what());
            return made.size() <= cutAt ? client.ask(request, patience) : killed(client, request, afterwards, patience);
        };
        AffinityWriter writer = new AffinityWriter(cut, "default", _ -> true, PATIENCE, LONG, BACKOFF);
        try {
            writer.resume(() -> true);
            Optional<AffinityChange> change = change(index);
            if (change.isPresent()) {
                ChangeOutcome outcome = writer.change(change.get(), _ -> true);
                assertThat(outcome.result()).as(outcome.text()).isIn(Result.REPLACED, Result.IN_PLACE);
            }
        } catch (Killed _) {
            // The next run goes on.
        }
        return made;
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private static ApiAnswer killed(ApiClient client, ApiRequest request, boolean afterwards, Duration patience) {
        if (afterwards) {
            client.ask(request, patience);
        }
        throw new Killed();
    }

    private Optional<AffinityChange> change(int index) {
        ClusterVolumes now = new ClusterVolumes(
                client(), "org.example.csi"::equals, new ObjectFeed.Times(PATIENCE, LONG, LONG, BACKOFF), _ -> {});
        now.list();
        KnownVolume volume = now.volume("pv-" + index).orElseThrow();
        NodeAffinity to = NodeAffinity.of(
                        VolumePlacement.within(List.of(TopologySegment.of(Map.of("example.com/host", "b")))))
                .orElseThrow();
        return volume.affinity().equals(to)
                ? Optional.empty()
                : Optional.of(new AffinityChange(
                        "pv-" + index, volume.uid(), volume.affinity(), to, "test", "why", Optional.empty()));
    }

    private ApiClient client() {
        String file = api().adminKubeconfig().toString();
        return new ApiClient(
                ClusterAccess.read(name -> name.equals("KUBECONFIG") ? file : "", folder), HttpClient.USUAL_BACKOFF);
    }

    private List<JsonObject> objects(String kind) throws IOException, InterruptedException {
        JsonArray items = JsonParser.parseString(api().kubectl("get", kind, "-o", "json"))
                .getAsJsonObject()
                .getAsJsonArray("items");
        return items.asList().stream().map(item -> item.getAsJsonObject()).toList();
    }

    private List<String> phases(String kind) throws IOException, InterruptedException {
        return objects(kind).stream()
                .map(object -> object.getAsJsonObject("status").get("phase").getAsString())
                .toList();
    }

    private static String name(JsonObject object) {
        return object.getAsJsonObject("metadata").get("name").getAsString();
    }

    private static String uid(JsonObject object) {
        return object.getAsJsonObject("metadata").get("uid").getAsString();
    }

    private static JsonObject kept(JsonObject volume) {
        JsonObject kept = volume.deepCopy();
        kept.remove("status");
        JsonObject metadata = kept.getAsJsonObject("metadata");
        List.of("uid", "resourceVersion", "creationTimestamp", "generation").forEach(metadata::remove);
        kept.getAsJsonObject("spec").remove("nodeAffinity");
        metadata.getAsJsonArray("finalizers")
                .asList()
                .sort((a, b) -> a.getAsString().compareTo(b.getAsString()));
        return kept;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void eventually(Condition condition) throws Exception {
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
