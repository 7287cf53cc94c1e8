package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes and a real API server, with the rights that docs/errors/FL-KUBE-002.md asks for and no others. The
 * programs are those of {@code lab/kube}; the server is one of its own, since it is frozen here.
 */
@Tag("cluster")
class KubernetesApiTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration MARGIN = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String RIGHTS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: driver}
            rules:
            - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}
            - {apiGroups: [""], resources: [events], verbs: [create, patch]}
            - {apiGroups: [""], resources: [nodes], verbs: [get]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: driver}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: driver}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: driver}]
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: storage}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {topology.kubernetes.io/zone: z1}}
            """;

    @TempDir
    Path folder;

    private final List<Replica> replicas = new ArrayList<>();
    private @Nullable LoopbackApi started;

    @BeforeEach
    void start() throws Exception {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " is not built (lab/kube up builds it)"));
        }
        started = LoopbackApi.start(folder.resolve("api"));
        api().apply(RIGHTS);
        Files.createDirectories(folder.resolve("connections"));
    }

    @AfterEach
    void end() throws Exception {
        replicas.forEach(Replica::close);
        if (started != null) {
            started.thaw();
            started.close();
        }
    }

    @Test
    void of_two_replicas_one_serves_and_the_other_takes_over_when_it_dies_or_leaves() throws Exception {
        Replica first = replica("first");
        await("the first serves", LONG, first::serves);
        Replica second = replica("second");
        await("the second stands by", LONG, () -> second.said("another replica leads"));
        try (Watch watch = new Watch(first, second)) {
            long killed = System.nanoTime();
            first.kill();
            await("the second serves", LEASE.plus(MARGIN), second::serves);
            Duration took = Duration.ofNanos(System.nanoTime() - killed);

            Replica third = replica("third");
            watch.also(third);
            await("the third stands by", LONG, () -> third.said("another replica leads"));
            long drained = System.nanoTime();
            second.drain();
            await("the third serves", Duration.ofSeconds(9), third::serves);

            System.err.printf(
                    "took over %d ms after a kill, %d ms after a drain%n",
                    took.toMillis(),
                    Duration.ofNanos(System.nanoTime() - drained).toMillis());
            assertThat(second.exitCode()).isZero();
            assertThat(holder()).startsWith("third_");
            assertThat(watch.twice()).isEmpty();
        }
    }

    @Test
    void a_server_that_freezes_briefly_ends_nothing_and_one_that_stays_so_ends_the_leader() throws Exception {
        Replica first = replica("first");
        await("the first serves", LONG, first::serves);

        api().freeze();
        TimeUnit.SECONDS.sleep(5);
        api().thaw();
        TimeUnit.SECONDS.sleep(6);
        assertThat(first.serves()).isTrue();

        long frozen = System.nanoTime();
        api().freeze();
        int code = first.exitCode();
        Duration took = Duration.ofNanos(System.nanoTime() - frozen);

        assertThat(code).isEqualTo(1);
        assertThat(took).isBetween(Duration.ofSeconds(7), LEASE);
        assertThat(first.said("this replica does not lead any more")).isTrue();
        assertThat(first.said("driver-token")).isFalse();
    }

    @Test
    void troubles_of_connections_are_events_on_the_pod() throws Exception {
        Replica driver = replica("driver", "--kubernetes-events");
        await("it serves", LONG, driver::serves);

        connection("c1", "driver: local-hostpath\nlocal-hostpath: {shareBasePath: 7, password: hunter2}\n");
        await("the rejection", LONG, () -> events().contains("Warning ConnectionRejected driver 1"));
        connection("c1", good("c1"));
        await("the recovery", LONG, () -> events().contains("Normal ConnectionRecovered driver 1"));
        connection("c1", "driver: [");
        await("the second rejection is counted", LONG, () -> events().contains("Warning ConnectionRejected driver 2"));
        Files.delete(folder.resolve("connections/c1.yaml"));
        await("the removal", LONG, () -> events().contains("Warning ConnectionRemoved driver 1"));

        assertThat(events()).doesNotContain("hunter2");
    }

    @Test
    void a_node_says_the_zone_that_its_labels_say() throws Exception {
        Replica node = replica("node", List.of("--csi-mode=node"));
        await("it serves", LONG, node::serves);

        try (CsiClient client = new CsiClient(node.socket())) {
            assertThat(client.nodeInfo().getAccessibleTopology().getSegmentsMap())
                    .isEqualTo(Map.of("org.democratic-csi.topology/zone", "z1"));
        }
    }

    private LoopbackApi api() {
        return Objects.requireNonNull(started, "the server is started before each test");
    }

    private String holder() throws IOException, InterruptedException {
        return api().kubectl(
                        "get", "lease", "-n", "storage", "lab.fairlead.dev", "-o", "jsonpath={.spec.holderIdentity}");
    }

    private String events() {
        try {
            return api().kubectl(
                            "get",
                            "events",
                            "-n",
                            "storage",
                            "-o",
                            "jsonpath={range .items[*]}{.type} {.reason} {.involvedObject.name} {.count} {.message}{'\\n'}{end}");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String good(String name) throws IOException {
        Path base = Files.createDirectories(folder.resolve("base-" + name));
        return """
                driver: local-hostpath
                local-hostpath: {shareBasePath: %s, controllerBasePath: %s}
                proxy: {perDriver: {topology: [{requirements: {zone: z1}}]}}
                """.formatted(base, base);
    }

    private void connection(String name, String yaml) throws IOException {
        Path fresh = Files.writeString(folder.resolve("fresh"), yaml);
        Files.move(fresh, folder.resolve("connections").resolve(name + ".yaml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private Replica replica(String name, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--csi-mode=controller", "--leader-election"));
        words.addAll(List.of(more));
        return replica(name, words);
    }

    private Replica replica(String name, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(DriverFixture.launcherCommand(""));
        command.addAll(List.of("--csi-name=lab.fairlead.dev", "--driver-config-file=" + mainFile()));
        command.addAll(options);
        Replica replica = Replica.start(
                name,
                command,
                Map.of(
                        "KUBECONFIG", api().driverKubeconfig().toString(),
                        "CSI_NODE_ID", "n1",
                        "POD_NAMESPACE", "storage",
                        "POD_UID", "6d6d0d8e-0000-4000-8000-000000000001"),
                folder);
        replicas.add(replica);
        return replica;
    }

    private Path mainFile() throws IOException {
        return Files.writeString(folder.resolve("driver.yaml"), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology:
                    type: zone
                    fromRegexp:
                      - {topologyKey: zone, source: nodeLabels, labelName: topology.kubernetes.io/zone}
                      - {topologyKey: rack, source: nodeLabels, labelName: example.org/rack}
                """.formatted(folder.resolve("connections")));
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(String what, Duration most, Condition condition) throws Exception {
        long giveUp = System.nanoTime() + most.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waiting: " + what).isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Looks all the time whether two listen at once. */
    private static final class Watch implements AutoCloseable {
        private final Queue<Replica> replicas = new ConcurrentLinkedQueue<>();
        private final Queue<String> twice = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean stop = new AtomicBoolean();
        private final Thread thread = Thread.ofPlatform().daemon().start(this::look);

        Watch(Replica... first) {
            replicas.addAll(List.of(first));
        }

        void also(Replica replica) {
            replicas.add(replica);
        }

        List<String> twice() {
            return List.copyOf(twice);
        }

        private void look() {
            while (!stop.get()) {
                List<String> listening = replicas.stream()
                        .filter(Replica::isAlive)
                        .filter(Replica::listens)
                        .map(Replica::name)
                        .toList();
                if (listening.size() > 1) {
                    twice.add(listening.toString());
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }

        @Override
        public void close() {
            stop.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
