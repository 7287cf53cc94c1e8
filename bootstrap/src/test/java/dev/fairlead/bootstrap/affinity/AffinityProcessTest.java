package dev.fairlead.bootstrap.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.bootstrap.options.ServeOptions.Tcp;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process whose Kubernetes does not answer stands by, says so, and ends at a signal. */
@Timeout(120)
class AffinityProcessTest {
    @Test
    void health_and_metrics_are_told_by_both_addresses_and_a_standby_ends_at_once() throws Exception {
        int port = free();
        int other = free();
        AffinityProcess process =
                new AffinityProcess(options(port, other), settings(free()), List.of(), Optional.empty(), "test");
        CompletableFuture<Runnable> signal = new CompletableFuture<>();
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                code.complete(process.act(signal::complete));
            } catch (InterruptedException | RuntimeException e) {
                code.completeExceptionally(e);
            }
        });
        Runnable end = signal.get(60, TimeUnit.SECONDS);

        assertThat(get(port, "/healthz")).startsWith("200 ok");
        assertThat(eventually(port, "/readyz", "standby")).startsWith("200 ok");
        assertThat(get(port, "/livez")).startsWith("200 ok");
        assertThat(get(other, "/metrics"))
                .startsWith("200 ")
                .contains(
                        "fairlead_affinity_leads 0", "fairlead_affinity_longest_gap_seconds 0", "fairlead_build_info");

        end.run();
        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void the_other_controllers_lease_is_looked_for_in_the_pods_own_namespace_too_whoever_tells_it() {
        AffinityProcess process = new AffinityProcess(
                options(Optional.empty(), Optional.of(new LinstorOptions(Optional.empty(), false)), List.of()),
                settings(1),
                List.of(),
                Optional.empty(),
                "test");

        assertThat(process.oldLeases())
                .extracting(LeaseName::toString)
                .containsExactly(
                        "piraeus-datastore/linstor-affinity-controller", "storage/linstor-affinity-controller");
    }

    private static String eventually(int port, String path, String wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String answer = get(port, path);
        while (!answer.contains(wanted) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(50);
            answer = get(port, path);
        }
        return answer;
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static KubernetesSettings settings(int nobody) {
        return new KubernetesSettings(
                URI.create("http://127.0.0.1:" + nobody),
                Optional.of("storage"),
                Optional.empty(),
                Optional.empty(),
                new Trust.SystemRoots(),
                "test");
    }

    private static AffinityOptions options(int port, int other) {
        return options(
                Optional.of("storage"),
                Optional.empty(),
                List.of(new Tcp("127.0.0.1", port), new Tcp("127.0.0.1", other)));
    }

    private static AffinityOptions options(
            Optional<String> namespace, Optional<LinstorOptions> linstor, List<Tcp> endpoints) {
        AffinityServing usual = AffinityServing.USUAL;
        return new AffinityOptions(
                List.of("org.example.csi"),
                Optional.empty(),
                linstor,
                namespace,
                "fairlead-affinity",
                Duration.ofSeconds(15),
                50,
                ChangeRules.USUAL,
                PlanLimit.USUAL,
                Set.of(),
                new AffinityServing(
                        Optional.empty(),
                        Optional.empty(),
                        usual.times(),
                        usual.perVolume(),
                        usual.mostOpen(),
                        endpoints,
                        Optional.empty(),
                        Optional.empty()));
    }
}
