package dev.fairlead.bootstrap.cli.former;

import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.bootstrap.affinity.AffinityServing;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import dev.fairlead.bootstrap.options.ServeCommandLine;
import dev.fairlead.bootstrap.options.ServeOptions.Tcp;
import dev.fairlead.bootstrap.options.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds how the affinity process runs; the flags of LINSTOR's affinity controller keep their names and meanings. */
public final class AffinityFlags {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final int DEBUG = 4;

    /** The times of the former controller, which hold if one of the three is given. */
    private static final Times FORMER =
            new Times(Duration.ofSeconds(30), Duration.ofSeconds(25), Duration.ofSeconds(10));

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"--http-endpoint", "--bind-address", "--metrics-address"},
            paramLabel = "[ADDRESS]:PORT",
            description = "Where /livez, /readyz, /healthz and /metrics are told; repeats; default: nowhere.")
    private List<String> endpoints = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "How long one volume's change may take in one round; default: 30s.")
    private Duration perVolume = AffinitySettings.PER_VOLUME;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "The replacements that may be open at once; default: 10.")
    private int workers = AffinityServing.USUAL_OPEN;

    @Option(
            names = "--leader-election",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true",
            description = "Always so: of several replicas one leads.")
    private String election = "true";

    @Option(
            names = "--leader-election-id",
            paramLabel = "NAME",
            description = "The name of this replica; default: LEASE_HOLDER_IDENTITY, POD_NAME, else HOSTNAME.")
    private String candidate = "";

    @Option(
            names = {"--lease", "--lease-lock-name"},
            paramLabel = "NAME",
            description = "The Lease's name; default: LEASE_LOCK_NAME, else fairlead-affinity.")
    private String lease = "";

    @Option(
            names = "--lease-lock-namespace",
            paramLabel = "NS",
            description = "Where the Lease is; default: that of --namespace.")
    private String leaseNamespace = "";

    @Option(
            names = "--leader-election-lease-duration",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "How long others leave the Lease to a leader that does not renew it; default: 15s.")
    private @Nullable Duration leaseDuration;

    @Option(
            names = "--leader-election-renew-deadline",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "When a leader that cannot renew it stops; default: 10s.")
    private @Nullable Duration renewal;

    @Option(
            names = "--leader-election-retry-period",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "The time between two attempts; default: 2s.")
    private @Nullable Duration retry;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "As the variable KUBECONFIG.")
    private String kubeconfig = "";

    @Option(
            names = {"-v", "--v"},
            paramLabel = "N",
            description = "How much is logged: debug from 4 on; default: what the environment says.")
    private @Nullable Integer verbosity;

    public AffinityServing serving(Map<String, String> environment) {
        if (workers < 1) {
            throw wrong("--workers: " + workers + " (expected: at least 1)");
        }
        if (perVolume.compareTo(Duration.ofSeconds(1)) < 0) {
            throw wrong("--timeout: " + perVolume.toMillis() + " ms (expected: at least 1s)");
        }
        return new AffinityServing(
                given(leaseNamespace).map(name -> named("--lease-lock-namespace", name)),
                given(candidate).or(() -> variable(environment, "LEASE_HOLDER_IDENTITY")),
                times(),
                perVolume,
                workers,
                addresses(),
                given(kubeconfig),
                Optional.ofNullable(verbosity).map(level -> level < DEBUG ? LogLevel.INFO : LogLevel.DEBUG));
    }

    public String lease(Map<String, String> environment) {
        return given(lease)
                .map(name -> named("--lease", name))
                .or(() -> variable(environment, "LEASE_LOCK_NAME").map(name -> named("LEASE_LOCK_NAME", name)))
                .orElse("fairlead-affinity");
    }

    /** Returns what was asked for and is not done. */
    public List<String> warnings() {
        return switch (election.toLowerCase(Locale.ROOT)) {
            case "1", "t", "true" -> List.of();
            case "0", "f", "false" ->
                List.of("--leader-election=false: has no meaning here; one replica leads at any time, by a Lease");
            default -> throw wrong("--leader-election: '" + election + "' (expected: true or false)");
        };
    }

    /** Returns a text that may be a name of Kubernetes. */
    public String named(String option, String name) {
        if (!NAME.matcher(name).matches()) {
            throw wrong(option + ": '" + name
                    + "' (expected: lower-case letters, digits, '-' and '.', letters or digits at both ends)");
        }
        return name;
    }

    private Times times() {
        boolean usual = Stream.of(
                        Optional.ofNullable(leaseDuration), Optional.ofNullable(renewal), Optional.ofNullable(retry))
                .allMatch(Optional::isEmpty);
        if (usual) {
            return Times.USUAL;
        }
        try {
            return new Times(
                    Optional.ofNullable(leaseDuration).orElse(FORMER.lease()),
                    Optional.ofNullable(renewal).orElse(FORMER.renewal()),
                    Optional.ofNullable(retry).orElse(FORMER.retry()));
        } catch (IllegalArgumentException e) {
            throw wrong("--leader-election-lease-duration, -renew-deadline and -retry-period: " + e.getMessage());
        }
    }

    private List<Tcp> addresses() {
        List<Tcp> found = new ArrayList<>();
        for (String text : endpoints) {
            if (!text.isEmpty()) {
                try {
                    Tcp one = ServeCommandLine.http(text);
                    if (!found.contains(one)) {
                        found.add(one);
                    }
                } catch (UsageException e) {
                    throw wrong(String.valueOf(e.getMessage()));
                }
            }
        }
        return found;
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(one -> !one.isEmpty());
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return given(environment.getOrDefault(name, ""));
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
