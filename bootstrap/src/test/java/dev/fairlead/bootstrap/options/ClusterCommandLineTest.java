package dev.fairlead.bootstrap.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.bootstrap.options.ClusterOptions.Election;
import dev.fairlead.bootstrap.options.ClusterOptions.Pod;
import dev.fairlead.bootstrap.options.ClusterOptions.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCommandLineTest {
    private static final Set<Mode> CONTROLLER = Set.of(Mode.CONTROLLER);
    private static final Map<String, String> POD =
            Map.of("POD_NAME", "fairlead-1", "POD_NAMESPACE", "storage", "POD_UID", "u-1");

    @Test
    void nothing_is_asked_of_kubernetes_unless_it_is_told_to() {
        assertThat(options(CONTROLLER, POD)).isEqualTo(ClusterOptions.NONE);
        assertThat(options(CONTROLLER, POD, "--leader-election=false")).isEqualTo(ClusterOptions.NONE);
    }

    @Test
    void a_flag_takes_no_word_after_it() {
        var options = options(CONTROLLER, POD, "--leader-election", "--log-level", "debug", "--kubernetes-events");

        assertThat(options.election()).contains(new Election(Optional.of("storage"), "org.example.csi", "fairlead-1"));
        assertThat(options.events()).contains(new Pod("storage", "fairlead-1", "u-1"));
    }

    @Test
    void the_environment_turns_a_flag_on() {
        assertThat(options(CONTROLLER, Map.of("DEMOCRATIC_CSI_LEADER_ELECTION", "true"))
                        .election())
                .contains(new Election(Optional.empty(), "org.example.csi", "fairlead"));
    }

    @Test
    void the_command_line_names_the_lease() {
        var options = options(
                CONTROLLER,
                POD,
                "--leader-election",
                "--leader-election-namespace=other",
                "--leader-election-lease=my.lease");

        assertThat(options.election()).contains(new Election(Optional.of("other"), "my.lease", "fairlead-1"));
    }

    @ParameterizedTest
    @CsvSource({"Org.Example.CSI, org.example.csi", "a-.b, a.b", "a..b, a.b", "a.-b, a.b"})
    void the_first_csi_name_becomes_the_name_of_the_lease(String csiName, String lease) {
        var options = parse(Set.of(Mode.CONTROLLER), POD, csiName, "--leader-election");

        assertThat(options.election().orElseThrow().lease()).isEqualTo(lease);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--leader-election=yes",
                "--leader-election-namespace=Other",
                "--leader-election-namespace=../default",
                "--leader-election-lease=a/b",
                "--leader-election-lease=a..b",
            })
    void what_cannot_be_is_refused(String option) {
        assertThatThrownBy(() -> options(CONTROLLER, POD, "--leader-election", option))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(option.substring(0, option.indexOf('=')))
                .hasMessageContaining("expected:");
    }

    @Test
    void a_node_neither_stands_by_nor_tells_of_connections() {
        assertThatThrownBy(() -> options(Mode.ALL, POD, "--leader-election")).hasMessageContaining("controller alone");
        assertThatThrownBy(() -> options(Set.of(Mode.NODE), POD, "--kubernetes-events"))
                .hasMessageContaining("controller");
    }

    @Test
    void sources_are_asked_for_by_a_process_that_is_both_and_knows_its_node() {
        Map<String, String> node = Map.of("CSI_NODE_ID", "n1", "DEMOCRATIC_CSI_KUBERNETES_SOURCES", "true");

        assertThat(options(Mode.ALL, node).sources()).contains("n1");
        assertThatThrownBy(() -> options(CONTROLLER, node)).hasMessageContaining("one process");
        assertThatThrownBy(() -> options(Mode.ALL, POD, "--kubernetes-sources"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("CSI_NODE_ID");
    }

    @Test
    void events_on_claims_are_a_nodes_that_knows_its_name() {
        Map<String, String> node = Map.of("CSI_NODE_ID", "n1");

        assertThat(options(Set.of(Mode.NODE), node, "--kubernetes-claim-events").claims())
                .contains("n1");
        assertThatThrownBy(() -> options(CONTROLLER, node, "--kubernetes-claim-events"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("staged volumes");
        assertThatThrownBy(() -> options(Mode.ALL, POD, "--kubernetes-claim-events"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("CSI_NODE_ID");
    }

    @Test
    void events_need_to_know_their_pod() {
        assertThatThrownBy(() -> options(CONTROLLER, Map.of("POD_NAME", "p"), "--kubernetes-events"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("POD_NAMESPACE");
    }

    @Test
    void a_node_takes_a_taint_of_its_own_away() {
        var options = options(Mode.ALL, Map.of("CSI_NODE_ID", "n1"), "--startup-taint=a.example.org/agent-not-ready");

        assertThat(options.taint()).contains(new Taint("n1", "a.example.org/agent-not-ready"));
    }

    @Test
    void a_taint_is_a_node_s_and_has_a_node_and_a_key() {
        Map<String, String> node = Map.of("CSI_NODE_ID", "n1");

        assertThatThrownBy(() -> options(CONTROLLER, node, "--startup-taint=a")).hasMessageContaining("node's half");
        assertThatThrownBy(() -> options(Mode.ALL, Map.of(), "--startup-taint=a"))
                .hasMessageContaining("CSI_NODE_ID");
        for (String key : List.of("/a", "a/", "A/b", "a/b/c", "a=b", "a:NoExecute", "-a", "x".repeat(64))) {
            assertThatThrownBy(() -> options(Mode.ALL, node, "--startup-taint=" + key))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("expected: such as csi.example.org/agent-not-ready");
        }
    }

    private static ClusterOptions options(Set<Mode> modes, Map<String, String> environment, String... more) {
        return parse(modes, environment, "org.example.csi", more);
    }

    private static ClusterOptions parse(
            Set<Mode> modes, Map<String, String> environment, String csiName, String... more) {
        var arguments = new ArrayList<>(
                List.of("--csi-name=" + csiName, "--driver-config-file=/f", "--server-socket=/run/csi.sock"));
        arguments.addAll(List.of(more));
        return ServeCommandLine.parse(Optional.of(modes), arguments, environment)
                .cluster();
    }
}
