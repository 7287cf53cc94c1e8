package dev.fairlead.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.application.service.call.Telemetry.Tried;
import dev.fairlead.application.service.connection.ConnectionStatus;
import dev.fairlead.bootstrap.telemetry.AffinityMeters;
import dev.fairlead.bootstrap.telemetry.Metrics;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.WaitReason;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page has every metric that a scrape has, and no other. */
class MetricsPageTest {
    private static final Pattern HELP = Pattern.compile("# HELP (\\S+) (.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SERIES = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    @Test
    void the_page_holds_the_table_of_metrics_word_for_word() {
        String page = Repository.ofThisBuild().text("docs/operate/metrics.md");

        assertThat(page).contains("<!-- metrics -->\n" + table(everything().scrape()) + "<!-- /metrics -->");
    }

    @Test
    void every_metric_of_fairlead_s_own_says_so_in_its_name() {
        assertThat(everything().scrape().lines().filter(line -> !line.startsWith("#")))
                .isNotEmpty()
                .allMatch(line -> line.matches("(fairlead|process|jvm|kubevirt_hpp)_.*"));
    }

    /** One of each. */
    private static Metrics everything() {
        var nas = new ConnectionName("nas");
        var metrics = new Metrics("1");
        metrics.show(() -> List.of(new ConnectionStatus(
                nas, ConnectionStatus.State.SERVING, Optional.of("d"), Optional.of(Instant.EPOCH), 0, 0, 0)));
        metrics.showRegistrations(
                () -> List.of(new GrpcServer.Registration("a.b", RegistrationState.REGISTERED, "", 0)));
        metrics.ended(new GrpcServer.Call("a.b", "csi.v1.Identity", "Probe", "OK", 1));
        metrics.effect(new Tried(new Effect("mkdir", "/"), Optional.of(nas), Duration.ZERO, true));
        metrics.installed(nas);
        metrics.abandoned(nas);
        metrics.passedOver(nas);
        metrics.foundElsewhere(nas);
        metrics.attachments(Map.of("staged", 1));
        metrics.volumes(Map.of("nfs", Map.of("healthy", 1)));
        metrics.deviceDecided("use");
        metrics.showHangingCalls(() -> Map.of("nas", Map.of("question", 1)));
        metrics.showPools(() -> List.of(new PoolPlace(nas, "legacy", true)));
        metrics.pools(List.of(new PoolReport(nas, "legacy", List.of())));
        metrics.showRemovals(new Removals() {
            @Override
            public void takeUp() {}

            @Override
            public List<Pending> now() {
                return List.of(new Pending(nas, "/volumes", 1, 0));
            }
        });
        affinity(metrics);
        return metrics;
    }

    private static void affinity(Metrics metrics) {
        var meters = new AffinityMeters(metrics, () -> true, () -> false, InstantSource.system());
        var change = new AffinityChange(
                "pv",
                "uid",
                NodeAffinity.UNSET,
                NodeAffinity.of(new VolumePlacement.Labelled("a/b")).orElseThrow(),
                "linstor",
                "why",
                Optional.empty());
        var waits = new AffinityPlan.Entry(
                change,
                new ChangeGroup("linstor", "class fast"),
                Optional.of(new ChangeDelay(WaitReason.IN_USE, "why")));
        meters.looked(new AffinityRun.Report(
                new AffinityPlan(List.of(waits), new TreeMap<>(), Map.of("linstor", 1)),
                List.of(new ChangeOutcome("pv", ChangeOutcome.Result.REPLACED, "")),
                Optional.empty()));
        meters.away("pv", Duration.ofMillis(3));
        meters.claimLost("pv");
    }

    private static String table(String scrape) {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        Map<String, SortedSet<String>> labels = new TreeMap<>();
        String family = "";
        for (String line : scrape.lines().toList()) {
            Matcher described = HELP.matcher(line);
            Matcher typed = TYPE.matcher(line);
            Matcher series = SERIES.matcher(line);
            if (described.matches()) {
                help.put(described.group(1), described.group(2));
            } else if (typed.matches()) {
                family = typed.group(1);
                types.put(family, typed.group(2));
            } else if (series.matches() && series.group(2) != null) {
                labels.computeIfAbsent(family, _ -> new TreeSet<>())
                        .addAll(LABEL.matcher(series.group(2))
                                .results()
                                .map(label -> label.group(1))
                                .filter(label -> !label.equals("le"))
                                .toList());
            }
        }
        var table = new StringBuilder("| metric | type | labels | what it is |\n|---|---|---|---|\n");
        types.forEach((name, type) -> table.append("| `" + name + "` | " + type + " | "
                + String.join(", ", labels.getOrDefault(name, new TreeSet<>())) + " | " + help.get(name) + " |\n"));
        return table.toString();
    }
}
