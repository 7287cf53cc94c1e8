package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerbsTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int run(String... arguments) {
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Verbs.run(List.of(arguments), Map.of(), new Terminal(stream, stream, false, false));
    }

    @Test
    void outside_of_a_cluster_it_is_said_in_a_line_what_is_missing() {
        assertThat(run("uninstall-check", "--csi-name=a")).isOne();

        assertThat(said.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "fairlead: kubernetes: Kubernetes is asked for, and there is no access to it (run in a pod with a"
                                + " service account, or let KUBECONFIG name a file)\n");
    }

    @Test
    void a_node_that_holds_nothing_needs_no_cluster() {
        assertThat(run("drain-wait", "--csi-name=none.example.org", "--kubelet-dir=/nowhere"))
                .isZero();
    }
}
