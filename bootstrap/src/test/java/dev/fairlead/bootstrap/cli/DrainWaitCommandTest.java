package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.cluster.NodeOutlook;
import dev.fairlead.application.port.out.node.StagedVolumes;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DrainWaitCommandTest {
    private static final NodeOutlook DRAINED = _ -> Optional.of("it is cordoned");
    private static final NodeOutlook NEVER_ASKED = _ -> {
        throw new AssertionError("nothing to wait for, and asked all the same");
    };

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> asked = new ArrayList<>();
    private Duration waited = Duration.ZERO;

    /** @param released after how long the node holds nothing any more */
    private int run(Duration released, NodeOutlook outlook, String... options) {
        StagedVolumes volumes = drivers -> {
            asked.add(drivers.toString());
            return waited.compareTo(released) < 0 ? List.of("/srv/v/pvc-1", "/srv/v/pvc-2") : List.of();
        };
        return run(Map.of("CSI_NODE_ID", "n1"), volumes, outlook, options);
    }

    private int run(Map<String, String> environment, StagedVolumes volumes, NodeOutlook outlook, String... options) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        var command = new DrainWaitCommand(
                environment,
                new Terminal(stream, stream, false, false),
                () -> outlook,
                kubelet -> {
                    asked.add(kubelet.toString());
                    return volumes;
                },
                time -> waited = waited.plus(time));
        return new CommandLine(command)
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(options);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_node_that_holds_nothing_keeps_nobody_and_asks_nobody() {
        assertThat(run(Duration.ZERO, NEVER_ASKED, "--csi-name=a", "--kubelet-dir=/k"))
                .isZero();

        assertThat(asked).containsExactly(Path.of("/k").toString(), Set.of("a").toString());
    }

    @Test
    void a_renewed_pod_on_a_node_that_stays_ends_at_once() {
        assertThat(run(Duration.ofDays(1), _ -> Optional.empty(), "--csi-name=a"))
                .isZero();

        assertThat(waited).isZero();
    }

    @Test
    void on_a_node_that_is_leaving_it_stays_until_the_volumes_are_gone() {
        assertThat(run(Duration.ofSeconds(7), DRAINED, "--csi-name=a", "--timeout=30"))
                .isZero();

        assertThat(waited).isEqualTo(Duration.ofSeconds(7));
        assertThat(said()).contains("the node is leaving (it is cordoned)");
    }

    @Test
    void and_no_longer_than_it_may() {
        assertThat(run(Duration.ofDays(1), DRAINED, "--csi-name=a", "--timeout=5"))
                .isOne();

        assertThat(waited).isEqualTo(Duration.ofSeconds(5));
        assertThat(said()).contains("after 5 s the node still holds 2: /srv/v/pvc-1, /srv/v/pvc-2");
    }

    @Test
    void a_cluster_that_is_silent_is_no_reason_to_leave_volumes_behind() {
        NodeOutlook silent = _ -> {
            throw new StorageException(new Failure.ClusterUnavailable("asking", "nobody listens at its address"));
        };

        assertThat(run(Duration.ofSeconds(3), silent, "--csi-name=a")).isZero();

        assertThat(waited).isEqualTo(Duration.ofSeconds(3));
        assertThat(said()).contains("nobody can tell whether it stays: nobody listens at its address");
    }

    @Test
    void a_role_that_is_missing_holds_up_no_update() {
        NodeOutlook refusing = _ -> {
            throw new StorageException(new Failure.ClusterRefused("asking", "status 403"));
        };

        assertThat(run(Duration.ofDays(1), refusing, "--csi-name=a")).isOne();

        assertThat(waited).isZero();
        assertThat(said()).contains("FL-KUBE-002");
    }

    @Test
    void the_node_has_to_have_a_name() {
        int code = run(Map.of(), _ -> List.of("/srv/v/pvc-1"), DRAINED, "--csi-name=a");

        assertThat(code).isEqualTo(2);
        assertThat(said()).contains("CSI_NODE_ID is not set");
    }
}
