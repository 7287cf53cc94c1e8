package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlan.Held;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinitySources;
import dev.fairlead.bootstrap.affinity.AffinityWork;
import dev.fairlead.bootstrap.affinity.LinstorOptions;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.WaitReason;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologySegment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AffinityCommandTest {
    private static final AffinityPlan NOTHING = new AffinityPlan(List.of(), new TreeMap<>(), Map.of("connections", 3));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<AffinityOptions> asked = new ArrayList<>();

    @Test
    void a_plan_of_nothing_ends_with_0() {
        assertThat(run(true, () -> NOTHING, "--plan")).isZero();
        assertThat(text(out)).isEqualTo("0 of 3 volumes would change, 0 are unknown and stay as they are.\n");
    }

    @Test
    void a_plan_is_a_table_on_a_terminal_and_ends_with_3() {
        assertThat(run(true, AffinityCommandTest::something, "--plan")).isEqualTo(3);
        assertThat(text(out))
                .contains("pvc-1 ", "narrow", "[example.com/host=a] or [example.com/host=b]", "waits: it is attached")
                .contains("unknown  pvc-2  FL-AFF-001 its file is missing")
                .endsWith("digest " + something().digest() + "\n");
    }

    @Test
    void a_plan_is_one_document_for_a_program() {
        assertThat(run(false, AffinityCommandTest::something, "--plan")).isEqualTo(3);
        assertThat(text(out))
                .isEqualTo(
                        "{\"digest\":\"" + something().digest() + "\",\"volumes\":{\"connections\":3},\"changes\":["
                                + "{\"volume\":\"pvc-1\",\"uid\":\"u1\",\"change\":\"narrow\",\"from\":\"[example.com/host=a] or"
                                + " [example.com/host=b]\",\"to\":\"[example.com/host=a]\",\"source\":\"connections\","
                                + "\"group\":\"connection nas\","
                                + "\"reason\":\"the topology of connection nas\",\"waits\":\"in_use\",\"waitsFor\":\"it is"
                                + " attached\"}],\"unknown\":[{\"volume\":\"pvc-2\",\"code\":\"FL-AFF-001\",\"reason\":\"its file is missing\"}]}\n");
    }

    @Test
    void a_plan_names_the_group_that_waits_and_how_it_is_approved() {
        AffinityPlan plain = something();
        AffinityPlan held = new AffinityPlan(
                plain.entries(),
                plain.unknown(),
                plain.volumes(),
                List.of(),
                List.of(
                        new Held("connections", Optional.of("connection nas"), 40, 41, plain.digest()),
                        new Held("linstor", Optional.empty(), 60, 100, plain.digest())));

        run(true, () -> held, "--plan");
        assertThat(text(out))
                .startsWith("held  connection nas: 40 of 41 volumes would change, more than may change unexplained;"
                        + " --approve " + plain.digest())
                .contains("held  all of linstor: 60 of 100 volumes");
        out.reset();
        run(false, () -> held, "--plan");
        assertThat(text(out))
                .contains("\"held\":[{\"source\":\"connections\",\"group\":\"connection nas\",\"changes\":40,"
                        + "\"volumes\":41,\"digest\":\"" + plain.digest() + "\"},{\"source\":\"linstor\","
                        + "\"changes\":60,");
    }

    @Test
    void several_groups_may_be_approved() {
        String one = "0".repeat(24);
        String other = "a".repeat(24);

        run(true, () -> NOTHING, "--approve=" + one, "--approve", other);
        run(true, () -> NOTHING, "--approve=" + one + "," + other);

        assertThat(asked)
                .hasSize(2)
                .allSatisfy(options -> assertThat(options.approvals())
                        .containsExactlyInAnyOrder(new PlanDigest(one), new PlanDigest(other)));
    }

    @Test
    void what_cannot_be_told_ends_with_1() {
        AffinityPlan unknown = new AffinityPlan(
                List.of(), new TreeMap<>(Map.of("pvc-2", new VolumePlacement.Unknown("why"))), Map.of());
        assertThat(run(true, () -> unknown, "--plan")).isOne();
        var skipped = new VolumePlacement.Unknown(Optional.empty(), "it has a mark");
        AffinityPlan marked = new AffinityPlan(List.of(), new TreeMap<>(Map.of("pvc-2", skipped)), Map.of());
        assertThat(run(true, () -> marked, "--plan")).isZero();

        assertThat(run(
                        true,
                        () -> {
                            throw new StorageException(new Failure.ClusterUnavailable("listing", "no answer"));
                        },
                        "--plan"))
                .isOne();
        assertThat(text(err)).contains("FL-KUBE-001", "no answer");
    }

    @Test
    void options_that_make_no_sense_are_refused_with_what_is_expected() {
        assertThat(run(true, () -> NOTHING, "--plan", "--approve=yes")).isEqualTo(2);
        assertThat(text(err)).contains("--approve", "expected: the 24 characters");
        assertThat(run(true, () -> NOTHING, "--plan", "--reconcile-rate=0")).isEqualTo(2);
        assertThat(run(true, () -> NOTHING, "--plan", "--limit-percent=101")).isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void without_a_plan_it_acts() {
        assertThat(run(true, () -> NOTHING, "--settle=5")).isEqualTo(42);
        assertThat(asked.getFirst().rules().settle()).hasSeconds(5);
        assertThat(asked.getFirst().namespace()).contains("storage");
    }

    @Test
    void linstor_s_volumes_follow_if_its_controllers_are_named_also_without_connections() {
        assertThat(only(
                        Map.of("LS_CONTROLLERS", "a,b"),
                        "--plan",
                        "--linstor-anywhere=nodes",
                        "--property-namespace=Aux"))
                .isZero();
        assertThat(asked.getFirst().mainFile()).isEmpty();
        assertThat(asked.getFirst().linstor()).contains(new LinstorOptions(Optional.of("Aux"), true));
    }

    @Test
    void no_volumes_at_all_half_a_pair_of_options_and_a_strange_word_are_refused() {
        assertThat(only(Map.of(), "--plan")).isEqualTo(2);
        assertThat(text(err)).contains("LS_CONTROLLERS");
        assertThat(only(Map.of("LS_CONTROLLERS", "a"), "--plan", "--csi-name=x"))
                .isEqualTo(2);
        assertThat(only(Map.of("LS_CONTROLLERS", "a"), "--plan", "--linstor-anywhere=all"))
                .isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void leases_of_the_old_controller_are_named_or_taken_by_their_usual_names() {
        Map<String, String> linstor = Map.of("LS_CONTROLLERS", "a", "POD_NAMESPACE", "storage");
        assertThat(options(linstor).linstor().orElseThrow().oldLeases())
                .extracting(LeaseName::toString)
                .containsExactly(
                        "piraeus-datastore/linstor-affinity-controller", "storage/linstor-affinity-controller");
        assertThat(only(linstor, "--plan", "--old-lease=a/b", "--old-lease=c/d"))
                .isZero();
        assertThat(asked.getLast().linstor().orElseThrow().oldLeases())
                .extracting(LeaseName::toString)
                .containsExactly("a/b", "c/d");
        assertThat(only(linstor, "--plan", "--old-lease=none")).isZero();
        assertThat(asked.getLast().linstor().orElseThrow().oldLeases()).isEmpty();
        for (String wrong : List.of("b", "a/b/c", "a/../b", "/b", "none,a/b")) {
            assertThat(only(linstor, "--plan", "--old-lease=" + wrong))
                    .as(wrong)
                    .isEqualTo(2);
        }
        assertThat(text(err)).contains("--old-lease: a/b/c (expected: NAMESPACE/NAME");
    }

    @Test
    void what_comes_before_a_plan_is_told_and_counts_as_a_change_if_it_is_one() {
        AffinityPlan alive = NOTHING.noted(List.of(new AffinityPlan.Note("FL-AFF-011 it lives", false)));
        assertThat(run(true, () -> alive, "--plan")).isZero();
        assertThat(text(out)).startsWith("first  FL-AFF-011 it lives\n");
        AffinityPlan left = NOTHING.noted(List.of(new AffinityPlan.Note("pvc-1: it is gone", true)));
        assertThat(run(false, () -> left, "--plan")).isEqualTo(3);
        assertThat(text(out))
                .endsWith("\"unknown\":[],\"first\":[{\"text\":\"pvc-1: it is gone\",\"changes\":true}]}\n");
    }

    @Test
    void a_plan_that_cannot_tell_what_comes_before_it_does_not_say_that_nothing_would_change() {
        AffinityPlan unread = NOTHING.noted(List.of(AffinityPlan.Note.untold("FL-BACKEND-001 no answer")));

        assertThat(run(true, () -> unread, "--plan")).isEqualTo(1);

        assertThat(text(out)).startsWith("first  FL-BACKEND-001 no answer\n");
    }

    @Test
    void a_variable_of_linstor_s_that_is_wrong_is_named() {
        AffinityOptions options = options(Map.of("LS_CONTROLLERS", "me:pass@a"));

        assertThatThrownBy(() -> AffinitySources.of(options, Map.of("LS_CONTROLLERS", "me:pass@a")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("LS_CONTROLLERS")
                .hasMessageNotContaining("pass");
        List<PlacementSource> sources = AffinitySources.of(options, Map.of("LS_CONTROLLERS", "a"));
        assertThat(sources).extracting(PlacementSource::name).containsExactly("linstor");
        sources.forEach(PlacementSource::close);
    }

    private AffinityOptions options(Map<String, String> environment) {
        assertThat(only(environment, "--plan")).isZero();
        return asked.getLast();
    }

    private int only(Map<String, String> environment, String... options) {
        Terminal terminal = new Terminal(stream(out), stream(err), false, false);
        var command = new CommandLine(new AffinityCommand(environment, terminal, read -> {
            asked.add(read);
            return work(() -> NOTHING);
        }));
        command.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        return command.execute(options);
    }

    private int run(boolean interactive, Supplier<AffinityPlan> plan, String... options) {
        Terminal terminal = new Terminal(stream(out), stream(err), interactive, false);
        var command = new CommandLine(new AffinityCommand(Map.of("POD_NAMESPACE", "storage"), terminal, read -> {
            asked.add(read);
            return work(plan);
        }));
        command.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>(List.of("--csi-name=org.example.csi", "--driver-config-file=/d.yaml"));
        all.addAll(List.of(options));
        return command.execute(all.toArray(String[]::new));
    }

    private static AffinityWork work(Supplier<AffinityPlan> plan) {
        return new AffinityWork() {
            @Override
            public AffinityPlan plan() {
                return plan.get();
            }

            @Override
            public int act() {
                return 42;
            }
        };
    }

    private static AffinityPlan something() {
        AffinityChange change = new AffinityChange(
                "pvc-1",
                "u1",
                hosts("a", "b"),
                hosts("a"),
                "connections",
                "the topology of connection nas",
                Optional.empty());
        ChangeDelay delay = new ChangeDelay(WaitReason.IN_USE, "it is attached");
        return new AffinityPlan(
                List.of(new AffinityPlan.Entry(
                        change, new ChangeGroup("connections", "connection nas"), Optional.of(delay))),
                new TreeMap<>(Map.of("pvc-2", new VolumePlacement.Unknown("its file is missing"))),
                Map.of("connections", 3));
    }

    private static NodeAffinity hosts(String... names) {
        return NodeAffinity.of(VolumePlacement.within(List.of(names).stream()
                        .map(name -> TopologySegment.of(Map.of("example.com/host", name)))
                        .toList()))
                .orElseThrow();
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
