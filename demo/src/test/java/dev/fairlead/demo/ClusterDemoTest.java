package dev.fairlead.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a lab of shell scripts; {@code DemoOnClusterTest} of module lab has the real one. */
class ClusterDemoTest {
    /** A cluster of three zones in which the chart is installed; PODS and VOLUMES are filled in. */
    private static final String CLUSTER = """
            case "$*" in
              status) ;;
              *kubeletVersion*) echo v1.36.3 ;;
              *'get nodes'*) printf 'n1|z1\\nn2|z2\\nn3|z3\\nn4|z1\\n' ;;
              *deployments,storageclasses*) echo fairlead-controller zones ;;
              *'get storageclass zones'*) echo a,b,c ;;
              *'get pods'*) printf '%s' ;;
              *'get pv'*) printf '%s' ;;
              *'exec spread-0'*) echo spread-0 ;;
              *exec*) echo somebody ;;
              *) ;;
            esac
            """;

    private static final String PODS = pods("n1", "n2", "n3", "n1", "n2", "n3");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path tree;

    @Test
    void without_a_source_tree_it_says_where_the_cluster_comes_from() {
        int code = demo(Map.of("FAIRLEAD_LAUNCHER", "/usr/bin/fairlead"));

        assertThat(code).isEqualTo(1);
        assertThat(told()).contains("FAILED: ").contains("source tree");
    }

    @Test
    void a_cluster_that_does_not_start_is_ended_again() throws IOException {
        lab("[ $1 != status ] || exit 3; [ $1 != up ]");

        int code = demo();

        assertThat(code).isEqualTo(1);
        boolean root = "root".equals(System.getProperty("user.name"));
        assertThat(told()).contains(root ? "kube up ended with 1" : "sudo lab/kube up");
        assertThat(calls()).containsExactlyElementsOf(root ? List.of("status", "up", "down") : List.of("status"));
    }

    @Test
    void a_volume_in_another_zone_than_its_pod_is_a_failure_that_leaves_nothing() throws IOException {
        lab(CLUSTER.formatted(PODS, volumes("z1", "z2", "z3", "z1", "z2", "z1")));

        int code = demo();

        assertThat(code).isEqualTo(1);
        assertThat(told()).containsPattern("spread +FAILED: spread-5 is in z3, and its volume in z1");
        assertThat(calls().getLast()).isEqualTo("kubectl delete namespace fairlead-demo --wait");
    }

    @Test
    void a_pod_that_reads_what_another_wrote_is_a_failure() throws IOException {
        lab(CLUSTER.formatted(PODS, volumes("z1", "z2", "z3", "z1", "z2", "z3")));

        int code = demo();

        assertThat(code).isEqualTo(1);
        assertThat(told())
                .containsPattern(" pod +node +zone +volume +connection\n")
                .containsPattern(" spread-3 +n1 +z1 +pv-3 +c3\n")
                .contains("FAILED: spread-1 reads 'somebody', not its name");
    }

    private int demo() {
        return demo(Map.of("FAIRLEAD_LAUNCHER", tree.resolve("fairlead").toString()));
    }

    private int demo(Map<String, String> environment) {
        return new ClusterDemo(environment).run(false, new PrintStream(out, true, StandardCharsets.UTF_8), false);
    }

    private void lab(String script) throws IOException {
        Path kube = Files.createDirectory(tree.resolve("lab")).resolve("kube");
        Files.writeString(kube, "#!/bin/sh\necho \"$*\" >>%s\n%s\n".formatted(tree.resolve("calls"), script));
        Files.setPosixFilePermissions(kube, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(tree.resolve("calls"));
    }

    private String told() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String pods(String... nodes) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < nodes.length; i++) {
            lines.append("spread-%1$d|%2$s|data-spread-%1$d\\n".formatted(i, nodes[i]));
        }
        return lines.toString();
    }

    private static String volumes(String... zones) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < zones.length; i++) {
            lines.append("data-spread-%1$d|pv-%1$d|v:c%1$d/x|%2$s|fairlead-demo\\n".formatted(i, zones[i]));
        }
        return lines.toString();
    }
}
