package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinityServing;
import dev.fairlead.bootstrap.affinity.AffinityWork;
import dev.fairlead.bootstrap.affinity.LinstorOptions;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import dev.fairlead.bootstrap.options.ServeOptions.Tcp;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Each flag and variable of LINSTOR's affinity controller is taken: with its meaning, or with a warning. */
class FormerFlagsTest {
    private static final Map<String, String> LINSTOR = Map.of("LS_CONTROLLERS", "linstor+ssl://a,b:1");

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<AffinityOptions> asked = new ArrayList<>();

    @Test
    void all_of_them_are_taken_at_once() {
        Map<String, String> environment = new TreeMap<>(LINSTOR);
        environment.putAll(Map.of(
                "LS_USERNAME", "me",
                "LS_PASSWORD", "pass",
                "LS_BEARER_TOKEN_FILE", "/token",
                "LS_USER_CERTIFICATE_FILE", "/tls.crt",
                "LS_USER_KEY_FILE", "/tls.key",
                "LS_ROOT_CA_FILE", "/ca.crt",
                "LEASE_HOLDER_IDENTITY", "pod-1",
                "LEASE_LOCK_NAME", "lock",
                "POD_NAMESPACE", "piraeus"));

        int code = run(
                environment,
                "--reconcile-rate=30s",
                "--resync-rate=15m",
                "--timeout=1m",
                "--bind-address=[::]:8000",
                "--metrics-address=:8001",
                "--property-namespace=Aux/topology",
                "--workers=20",
                "--leader-election=true",
                "--leader-election-id=pod-2",
                "--lease-lock-name=linstor-affinity-controller",
                "--lease-lock-namespace=locks",
                "--leader-election-lease-duration=30s",
                "--leader-election-renew-deadline=25s",
                "--leader-election-retry-period=10s",
                "--kubeconfig=/config",
                "--namespace=piraeus",
                "--context=",
                "--server=",
                "--insecure-skip-tls-verify=false",
                "--request-timeout=0",
                "--cache-dir=/tmp",
                "--disable-compression",
                "--logtostderr=true",
                "--v=2");

        assertThat(code).as(text()).isEqualTo(42);
        AffinityOptions options = asked.getFirst();
        assertThat(options.interval()).hasSeconds(30);
        assertThat(options.namespace()).contains("piraeus");
        assertThat(options.lease()).isEqualTo("linstor-affinity-controller");
        assertThat(options.linstor())
                .contains(new LinstorOptions(
                        Optional.of("Aux/topology"),
                        false,
                        List.of(LeaseName.USUAL, new LeaseName("piraeus", LeaseName.USUAL.name()))));
        assertThat(options.serving())
                .isEqualTo(new AffinityServing(
                        Optional.of("locks"),
                        Optional.of("pod-2"),
                        new Times(Duration.ofSeconds(30), Duration.ofSeconds(25), Duration.ofSeconds(10)),
                        Duration.ofMinutes(1),
                        20,
                        List.of(new Tcp("::", 8000), new Tcp("", 8001)),
                        Optional.of("/config"),
                        Optional.of(LogLevel.INFO)));
        assertThat(text().lines().toList())
                .hasSize(3)
                .allMatch(line -> line.startsWith("fairlead: warning: --") && line.contains("has no meaning here"));
    }

    @Test
    void without_any_the_usual_holds() {
        assertThat(run(LINSTOR)).isEqualTo(42);

        assertThat(asked.getFirst().serving()).isEqualTo(AffinityServing.USUAL);
        assertThat(asked.getFirst().lease()).isEqualTo("fairlead-affinity");
        assertThat(asked.getFirst().interval()).hasSeconds(15);
        assertThat(text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--reconcile-rate=1m30s, 90",
        "--reconcile-rate=20, 20",
        "--reconcile-rate=0.5h, 1800",
        "--timeout=45s, 45",
        "--timeout=2m, 120",
        "--leader-election-lease-duration=40s, 40",
        "--leader-election-renew-deadline=20s, 20",
        "--leader-election-retry-period=5000ms, 5"
    })
    void a_duration_is_one_of_go_s_or_a_number_of_seconds(String flag, long seconds) {
        assertThat(run(LINSTOR, flag)).as(text()).isEqualTo(42);

        Function<AffinityOptions, Duration> field = Map.<String, Function<AffinityOptions, Duration>>of(
                        "--reconcile-rate", AffinityOptions::interval,
                        "--timeout", options -> options.serving().perVolume(),
                        "--leader-election-lease-duration",
                                options -> options.serving().times().lease(),
                        "--leader-election-renew-deadline",
                                options -> options.serving().times().renewal(),
                        "--leader-election-retry-period",
                                options -> options.serving().times().retry())
                .getOrDefault(flag.split("=", 2)[0], _ -> Duration.ZERO);
        assertThat(field.apply(asked.getFirst())).hasSeconds(seconds);
    }

    @Test
    void one_of_the_lease_s_times_brings_the_former_ones_with_it() {
        run(LINSTOR, "--leader-election-retry-period=5s");

        assertThat(asked.getFirst().serving().times())
                .isEqualTo(new Times(Duration.ofSeconds(30), Duration.ofSeconds(25), Duration.ofSeconds(5)));
    }

    @Test
    void variables_name_the_lease_and_the_replica() {
        Map<String, String> environment = new TreeMap<>(LINSTOR);
        environment.put("LEASE_LOCK_NAME", "lock");
        environment.put("LEASE_HOLDER_IDENTITY", "pod-1");

        run(environment);

        assertThat(asked.getFirst().lease()).isEqualTo("lock");
        assertThat(asked.getFirst().serving().candidate()).contains("pod-1");
    }

    @Test
    void an_empty_address_is_none_and_one_that_stands_twice_is_one() {
        run(LINSTOR, "--bind-address=", "--metrics-address=");
        assertThat(asked.getLast().serving().endpoints()).isEmpty();

        run(LINSTOR, "--bind-address=:8000", "--http-endpoint=:8000");
        assertThat(asked.getLast().serving().endpoints()).containsExactly(new Tcp("", 8000));
    }

    @Test
    void the_level_of_the_log_follows_klog_s() {
        run(LINSTOR, "-v", "4");
        assertThat(asked.getLast().serving().logLevel()).contains(LogLevel.DEBUG);
        run(LINSTOR, "-v=3");
        assertThat(asked.getLast().serving().logLevel()).contains(LogLevel.INFO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--resync-rate=5m",
                "--leader-election=false",
                "--request-timeout=10s",
                "--cache-dir=/x",
                "--disable-compression",
                "--alsologtostderr",
                "--vmodule=a=1",
                "--log_dir=/x",
                "--skip-headers=true",
                "--stderrthreshold=2"
            })
    void what_has_no_meaning_here_is_taken_with_a_warning(String flag) {
        assertThat(run(LINSTOR, flag)).as(text()).isEqualTo(42);

        assertThat(text())
                .startsWith("fairlead: warning: " + flag.split("=", 2)[0])
                .contains("has no meaning here");
        assertThat(text().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--leader-election", "--leader-election=1", "--insecure-skip-tls-verify=false"})
    void what_is_so_anyway_needs_no_warning(String flag) {
        assertThat(run(LINSTOR, flag)).isEqualTo(42);
        assertThat(text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--context=other",
                "--cluster=other",
                "--user=other",
                "--server=https://s3cret",
                "-s=https://s3cret",
                "--token=s3cret",
                "--username=s3cret",
                "--password=s3cret",
                "--as=other",
                "--as-group=other",
                "--as-uid=1",
                "--certificate-authority=/x",
                "--client-certificate=/x",
                "--client-key=/x",
                "--tls-server-name=x",
                "--insecure-skip-tls-verify"
            })
    void what_would_choose_another_cluster_or_user_is_refused(String flag) {
        assertThat(run(LINSTOR, flag)).isEqualTo(2);
        assertThat(text()).contains("--kubeconfig").doesNotContain("s3cret");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--reconcile-rate=0s",
                "--reconcile-rate=soon",
                "--reconcile-rate=-5s",
                "--reconcile-rate=1e9",
                "--reconcile-rate=100000h",
                "--timeout=0",
                "--workers=0",
                "--leader-election=perhaps",
                "--leader-election-renew-deadline=31s",
                "--lease-lock-name=../x",
                "--lease-lock-namespace=A",
                "--namespace=a/b",
                "--bind-address=8000",
                "--metrics-address=:99999"
            })
    void what_cannot_be_used_is_refused_with_what_is_expected(String flag) {
        assertThat(run(LINSTOR, flag)).isEqualTo(2);
        assertThat(text()).contains("expected: ");
        assertThat(asked).isEmpty();
    }

    private int run(Map<String, String> environment, String... arguments) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        var command = new CommandLine(new AffinityCommand(
                environment, new Terminal(stream, stream, false, false), options -> {
                    asked.add(options);
                    return new AffinityWork() {
                        @Override
                        public AffinityPlan plan() {
                            return new AffinityPlan(List.of(), new TreeMap<>(), Map.of());
                        }

                        @Override
                        public int act() {
                            return 42;
                        }
                    };
                }));
        command.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        return command.execute(arguments);
    }

    private String text() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
