package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.lab.LoopbackApi;
import dev.fairlead.lab.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A real API server with the real controllers of volumes and claims, volumes that are bound, a folder of connections,
 * and a gate through which the process reaches the server with the rights of docs/operate/affinity.md and no others.
 */
final class AffinityWorld implements AutoCloseable {
    static final String PREFIX = "org.example.csi";
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int AT_ONCE = 16;

    private final Path folder;
    private final LoopbackApi api;
    private final AdminCalls admin;
    private final ApiGate gate;
    private final ChartAccount account;
    private final Map<String, JsonObject> before = new TreeMap<>();
    private final Map<String, String> claims = new TreeMap<>();
    private final Set<String> zonesWithNode = new TreeSet<>();

    private AffinityWorld(Path folder, LoopbackApi api, ChartAccount account)
            throws IOException, GeneralSecurityException, InterruptedException {
        this.folder = folder;
        this.api = api;
        this.admin = new AdminCalls(api);
        this.account = account;
        this.gate = ApiGate.before(api, account.token(), folder.resolve("gate"));
    }

    /** Says which controllers run. */
    enum Controllers {
        QUICK,
        USUAL,
        NONE
    }

    /** @param options further options of the API server */
    static AffinityWorld start(Path folder, Controllers controllers, String... options)
            throws IOException, GeneralSecurityException, InterruptedException {
        needed();
        LoopbackApi api = LoopbackApi.start(folder.resolve("api"), ChartAccount.audit(folder.resolve("api"), options));
        try {
            switch (controllers) {
                case QUICK -> api.startVolumeControllers();
                case USUAL -> api.startUsualVolumeControllers();
                case NONE -> {}
            }
            within(
                    LONG,
                    () -> !api.kubectl("get", "namespace", "default", "-o", "name")
                            .isEmpty());
            AffinityWorld world = new AffinityWorld(folder, api, ChartAccount.in(api, folder.resolve("api")));
            Files.createDirectories(folder.resolve("connections"));
            Files.writeString(folder.resolve("main.yaml"), """
                    driver: proxy
                    proxy:
                      configFolder: %s
                      nodeTopology: {type: node, prefix: %s}
                    """.formatted(folder.resolve("connections"), PREFIX));
            return world;
        } catch (IOException | RuntimeException | AssertionError e) {
            api.close();
            throw e;
        }
    }

    static void needed() {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl", "kube-controller-manager")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " was not built; run lab/kube build"));
        }
        Needs.nothingAgainst(ChartAccount.lacking());
    }

    /** Returns the chart's service account, under which everything is done. */
    ChartAccount account() {
        return account;
    }

    AdminCalls admin() {
        return admin;
    }

    ApiGate gate() {
        return gate;
    }

    LoopbackApi api() {
        return api;
    }

    /** Writes the zones of a connection, as if that had been a minute ago. */
    void zones(String connection, List<String> zones) throws IOException, InterruptedException {
        for (String zone : zones) {
            // A volume is not moved to where there is no node.
            if (zonesWithNode.add(zone)) {
                admin.post("/api/v1/nodes", AffinityManifests.node(zone));
            }
        }
        Path file = folder.resolve("connections").resolve(connection + ".yaml");
        Path beside = Files.writeString(folder.resolve("next.yaml"), AffinityManifests.connection(zones));
        Files.setLastModifiedTime(beside, FileTime.from(Instant.now().minusSeconds(60)));
        Files.move(beside, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    static String volume(int at) {
        return "pv-%03d".formatted(at);
    }

    /**
     * Makes volumes and claims, waits until they are bound, and keeps what they are.
     *
     * @param connections the connection of each volume
     */
    void volumes(List<String> connections) throws IOException, InterruptedException {
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            JsonObject volume = AffinityManifests.volume(i, connections.get(i));
            JsonObject claim = AffinityManifests.claim(i);
            gate.knows(volume(i));
            work.add(() -> {
                admin.post("/api/v1/persistentvolumes", volume);
                admin.post("/api/v1/namespaces/default/persistentvolumeclaims", claim);
                return null;
            });
        }
        atOnce(work);
        bound(connections.size());
        remember();
    }

    /** Notes what volumes and claims are now; later they are compared with that. */
    void remember() throws IOException, InterruptedException {
        before.clear();
        claims.clear();
        for (JsonObject volume : volumes()) {
            before.put(name(volume), volume);
        }
        for (JsonObject claim : claims()) {
            claims.put(name(claim), uid(claim));
        }
    }

    static void atOnce(List<Callable<Void>> work) throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Void> one : threads.invokeAll(work)) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    List<JsonObject> volumes() throws IOException, InterruptedException {
        return admin.list("/api/v1/persistentvolumes");
    }

    List<JsonObject> claims() throws IOException, InterruptedException {
        return admin.list("/api/v1/namespaces/default/persistentvolumeclaims");
    }

    private long intents() throws IOException, InterruptedException {
        return admin.list("/api/v1/namespaces/default/configmaps").stream()
                .filter(map -> name(map).startsWith("fairlead-affinity-"))
                .count();
    }

    private void bound(int count) throws IOException, InterruptedException {
        within(
                LONG,
                () -> VolumeFacts.phases(volumes()).equals(Map.of("Bound", count))
                        && VolumeFacts.phases(claims()).equals(Map.of("Bound", count)));
    }

    /** Returns the names of volumes whose affinity is not what their connection's zones ask for. */
    Set<String> left(Map<String, List<String>> zonesByConnection) throws IOException, InterruptedException {
        Set<String> left = new TreeSet<>();
        for (JsonObject volume : volumes()) {
            String handle = volume.getAsJsonObject("spec")
                    .getAsJsonObject("csi")
                    .get("volumeHandle")
                    .getAsString();
            String connection = handle.substring(2, handle.indexOf('/'));
            if (!VolumeFacts.zones(volume)
                    .equals(new TreeSet<>(zonesByConnection.getOrDefault(connection, List.of("?"))))) {
                left.add(name(volume));
            }
        }
        return left;
    }

    /** Waits until nothing is left to do, and proves that nothing but the affinity is other than it was. */
    void ends(Map<String, List<String>> zonesByConnection, Supervisor process)
            throws IOException, InterruptedException {
        ends(zonesByConnection, process::tail);
    }

    /** @param log tells what the process has said, if nothing comes of it */
    void ends(Map<String, List<String>> zonesByConnection, Supplier<String> log)
            throws IOException, InterruptedException {
        try {
            // Each one may wait 3 s for its claim.
            within(
                    LONG.plusSeconds(4L * before.size()),
                    () -> left(zonesByConnection).isEmpty() && intents() == 0);
            bound(before.size());
        } catch (AssertionError e) {
            throw new AssertionError(
                    "left: " + left(zonesByConnection) + ", intents: " + intents() + ", phases: "
                            + VolumeFacts.phases(volumes()) + " and of claims " + VolumeFacts.phases(claims())
                            + "; the process says: " + log.get(),
                    e);
        }
        Map<String, JsonObject> after = new TreeMap<>();
        volumes().forEach(volume -> after.put(name(volume), volume));
        assertThat(after.keySet()).isEqualTo(before.keySet());
        after.forEach((name, volume) -> assertThat(VolumeFacts.kept(volume))
                .as(name)
                .isEqualTo(VolumeFacts.kept(before.getOrDefault(name, new JsonObject()))));
        Map<String, String> now = new TreeMap<>();
        claims().forEach(claim -> now.put(name(claim), uid(claim)));
        assertThat(now).isEqualTo(claims);
        refusedNothing();
        for (JsonObject claim : claims()) {
            assertThat(claim.getAsJsonObject("spec").get("volumeName").getAsString())
                    .isEqualTo(name(claim).replace("claim-", "pv-"));
        }
    }

    /** Proves that every volume is still the very object that it was. */
    void sameObjects() throws IOException, InterruptedException {
        for (JsonObject volume : volumes()) {
            assertThat(uid(volume)).isEqualTo(uid(before.getOrDefault(name(volume), new JsonObject())));
        }
    }

    /** Frees the Lease, whose holder is dead. */
    void freeLease() throws IOException, InterruptedException {
        admin.delete("/apis/coordination.k8s.io/v1/namespaces/default/leases/" + ChartAccount.LEASE);
    }

    /** Returns what starts the process and kills it. */
    Supervisor supervisor() throws IOException {
        Supervisor made = new Supervisor(folder, gate.kubeconfig());
        gate.onKill(made::kill);
        return made;
    }

    static String name(JsonObject object) {
        return object.getAsJsonObject("metadata").get("name").getAsString();
    }

    static String uid(JsonObject object) {
        return object.getAsJsonObject("metadata").get("uid").getAsString();
    }

    static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** Says whether something holds; a failure to ask says no. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    static void within(Duration patience, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
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
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Proves that the process asked for nothing that the chart's roles refuse. */
    void refusedNothing() throws IOException {
        assertThat(account.refused()).as("what it asked and may not").isEmpty();
    }

    @Override
    public void close() {
        gate.close();
        api.close();
    }
}
