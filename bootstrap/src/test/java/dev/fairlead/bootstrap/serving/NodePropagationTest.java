package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose process has mounts and processes of its own, as in a container, and kubelet's folder in them. */
class NodePropagationTest {
    private static final long PATIENCE = 60;
    private static final String RUNTIME = """
            mount -t proc proc /proc && mount --bind "$0" "$0" && mount "--make-$1" "$0" && shift && exec "$@"
            """;

    @TempDir
    private Path folder = Path.of("/nonexistent");

    @BeforeEach
    void this_process_may_unshare() throws IOException, InterruptedException {
        Process unshare = new ProcessBuilder(container("private", "true")).start();
        assumeTrue(unshare.waitFor() == 0, "left out: mounts of its own need root");
        Files.createDirectories(folder.resolve("plugins/test.fairlead.dev"));
        Files.writeString(folder.resolve("driver.yaml"), "driver: proxy\nproxy: {configFolder: /nonexistent}\n");
    }

    /** Returns the command line that runs a program with kubelet's folder as a container's runtime mounts it. */
    private List<String> container(String propagation, String... program) {
        List<String> line = new ArrayList<>(
                List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"));
        line.addAll(List.of("sh", "-c", RUNTIME, folder.toString(), propagation));
        line.addAll(List.of(program));
        return line;
    }

    private Process start(String propagation) throws IOException {
        ProcessBuilder java = new ProcessBuilder(container(
                        propagation,
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.fairlead.bootstrap.Main",
                        "--csi-name=test.fairlead.dev",
                        "--csi-mode=node",
                        "--log-format=json",
                        "--driver-config-file=" + folder.resolve("driver.yaml"),
                        "--server-socket=" + folder.resolve("plugins/test.fairlead.dev/csi.sock")))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        java.environment().put("CSI_NODE_ID", "n1");
        return java.start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /** Waits until the log has a text, or the process has ended. */
    private boolean logs(Process node, String text) throws IOException, InterruptedException {
        for (int look = 0; look < PATIENCE * 10 && node.isAlive() && !log().contains(text); look++) {
            Thread.sleep(100);
        }
        return log().contains(text);
    }

    @Test
    void it_does_not_serve_if_pods_would_get_empty_folders() throws IOException, InterruptedException {
        Process node = start("private");

        try {
            assertThat(node.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
        } finally {
            node.destroyForcibly();
        }
        assertThat(node.exitValue()).isEqualTo(1);
        assertThat(log()).contains("cannot serve", "FL-NODE-009", "mountPropagation: Bidirectional");
    }

    @Test
    void it_serves_if_its_mounts_are_shared_and_then_tells_its_programs() throws IOException, InterruptedException {
        Process node = start("shared");

        try {
            assertThat(logs(node, "\"ready\"")).as(log()).isTrue();
            assertThat(logs(node, "the programs of this node")).as(log()).isTrue();
            assertThat(log().lines().filter(it -> it.contains("the programs of this node")))
                    .singleElement()
                    .asString()
                    .containsPattern("\"programs\":\"[^\"]*mount [0-9.]+ \\(container\\)");
        } finally {
            node.destroyForcibly();
        }
    }
}
