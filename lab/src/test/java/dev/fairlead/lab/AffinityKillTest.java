package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the real process again and again while it moves all volumes of a connection, on a real API server, and with the
 * rights that docs/operate/affinity.md names and no others.
 */
@Tag("cluster")
class AffinityKillTest {
    private static final int VOLUMES = Integer.getInteger("fairlead.affinity.volumes", 60);
    private static final int KILLS = Integer.getInteger("fairlead.affinity.kills", 12);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String RIGHTS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: driver}
            rules:
            - {apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, patch, delete]}
            - {apiGroups: [""], resources: [persistentvolumeclaims, nodes], verbs: [get]}
            - {apiGroups: [storage.k8s.io], resources: [volumeattachments], verbs: [list, watch]}
            - {apiGroups: [storage.k8s.io], resources: [storageclasses], verbs: [get]}
            - {apiGroups: [""], resources: [events], verbs: [create]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: driver}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: driver}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: driver}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: driver, namespace: default}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: [get, list, create, patch, delete]}
            - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: driver, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: driver}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: driver}]
            """;

    @TempDir
    Path folder;

    private @Nullable LoopbackApi started;
    private @Nullable Process running;

    @BeforeEach
    void start() throws Exception {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl", "kube-controller-manager")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " was not built; run lab/kube build"));
        }
        started = LoopbackApi.start(folder.resolve("api"));
        started.startVolumeControllers();
        Files.createDirectories(folder.resolve("connections"));
        Files.writeString(folder.resolve("connections/nas.yaml"), """
                driver: zfs-generic-nfs
                sshConnection: {host: nas.example.org, port: 22, username: root, password: secret}
                zfs: {datasetParentName: tank/v}
                nfs:
                  shareHost: nas.example.org
                  shareStrategy: setDatasetProperties
                  shareStrategySetDatasetProperties: {properties: {sharenfs: "on"}}
                proxy: {perDriver: {topology: [{requirements: {zone: z2}}]}}
                """);
        Files.writeString(folder.resolve("main.yaml"), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology: {type: node, prefix: org.example.csi}
                """.formatted(folder.resolve("connections")));
    }

    @AfterEach
    void end() {
        if (running != null) {
            running.destroyForcibly();
        }
        if (started != null) {
            started.close();
        }
    }

    @Test
    void every_volume_ends_as_planned_however_often_the_process_is_killed() throws Exception {
        within(() -> !api().kubectl("get", "namespace", "default", "-o", "name").isEmpty());
        api().apply(RIGHTS);
        api().apply(volumes());
        within(() -> bound("pv") == VOLUMES && bound("pvc") == VOLUMES);
        List<JsonObject> before = objects("pv");
        List<JsonObject> claims = objects("pvc");
        long seed = Long.getLong("fairlead.seed", 20261127L);
        Random random = new Random(seed);
        List<Integer> kills = new ArrayList<>();

        while (kills.size() < KILLS && left() > 0) {
            running = process();
            int pause = 3000 + random.nextInt(5000);
            boolean ended = running.waitFor(pause, TimeUnit.MILLISECONDS);
            assertThat(ended).as("the process goes on: " + log()).isFalse();
            running.destroyForcibly().waitFor();
            kills.add(VOLUMES - left());
            // Its successor would wait for the Lease to run out.
            api().kubectl("delete", "lease", "fairlead-affinity", "-n", "default", "--ignore-not-found");
        }
        long logged = Files.size(folder.resolve("affinity.log"));
        running = process();
        within(() -> Files.readString(folder.resolve("affinity.log"))
                .substring((int) logged)
                .contains("this replica leads"));
        within(() -> left() == 0 && intents() == 0);
        running.destroy();
        assertThat(running.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(running.exitValue()).as(log()).isZero();
        System.out.println("seed " + seed + ", volumes that were moved at each kill: " + kills);

        within(() -> bound("pv") == VOLUMES && bound("pvc") == VOLUMES);
        List<JsonObject> after = objects("pv");
        assertThat(after).hasSize(VOLUMES);
        for (int i = 0; i < VOLUMES; i++) {
            assertThat(kept(after.get(i))).isEqualTo(kept(before.get(i)));
        }
        assertThat(objects("pvc").stream().map(AffinityKillTest::uid))
                .containsExactlyElementsOf(
                        claims.stream().map(AffinityKillTest::uid).toList());
    }

    private Process process() throws IOException {
        List<String> words = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fairlead.bootstrap.Main",
                "affinity",
                "--csi-name=org.example.csi",
                "--driver-config-file=" + folder.resolve("main.yaml"),
                "--namespace=default",
                "--settle=0",
                "--reconcile-rate=1",
                "--limit-percent=100");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("KUBECONFIG", api().driverKubeconfig().toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "affinity.log")))
                .start();
    }

    private String log() throws IOException {
        String text = Files.readString(folder.resolve("affinity.log"));
        return text.substring(Math.max(0, text.length() - 3000));
    }

    private LoopbackApi api() {
        return Objects.requireNonNull(started);
    }

    private String volumes() {
        StringBuilder manifest = new StringBuilder();
        for (int i = 0; i < VOLUMES; i++) {
            manifest.append("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata:
                      name: pv-%1$d
                      annotations: {pv.kubernetes.io/provisioned-by: org.example.csi}
                      finalizers: [external-attacher/org-example-csi, kubernetes.io/pv-protection]
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      mountOptions: [noatime]
                      persistentVolumeReclaimPolicy: Delete
                      storageClassName: fast
                      claimRef: {namespace: default, name: claim-%1$d}
                      csi: {driver: org.example.csi, volumeHandle: "v:nas/vol-%1$d", volumeAttributes: {k: v}}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms:
                          - matchExpressions: [{key: org.example.csi/zone, operator: In, values: [z1]}]
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
                    """.formatted(i));
        }
        return manifest.toString();
    }

    private int left() throws Exception {
        return (int) objects("pv").stream()
                .filter(volume -> !volume.getAsJsonObject("spec")
                        .get("nodeAffinity")
                        .toString()
                        .contains("\"z2\""))
                .count();
    }

    private long intents() throws Exception {
        return objects("configmap").stream()
                .filter(map -> map.getAsJsonObject("metadata")
                        .get("name")
                        .getAsString()
                        .startsWith("fairlead-affinity-"))
                .count();
    }

    private long bound(String kind) throws Exception {
        return objects(kind).stream()
                .filter(object -> object.getAsJsonObject("status")
                        .get("phase")
                        .getAsString()
                        .equals("Bound"))
                .count();
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

    private static void within(Condition condition) throws Exception {
        long end = System.nanoTime() + LONG.toNanos();
        while (true) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }
}
