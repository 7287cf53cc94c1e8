package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./fairlead demo --cluster}, which fails where anything is not as it tells. */
@OnCluster
class DemoOnClusterTest {
    @TempDir
    private Path folder;

    @Test
    void the_demo_on_the_cluster_tells_the_truth_and_leaves_nothing(KubeCluster cluster)
            throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Process demo = new ProcessBuilder(cluster.file("..", "fairlead").toString(), "demo", "--cluster", "--json")
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        assertThat(demo.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(demo.exitValue()).as(Files.readString(out)).isZero();
        assertThat(Files.readAllLines(out).stream().filter(line -> line.contains("\"event\":\"row\"")))
                .hasSize(6);
        assertThat(cluster.kubectl(Duration.ofSeconds(30), "get", "namespaces", "-o", "name"))
                .doesNotContain("fairlead-demo");
    }
}
