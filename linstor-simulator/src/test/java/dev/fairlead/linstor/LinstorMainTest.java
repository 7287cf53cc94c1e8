package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says and how it ends. */
class LinstorMainTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void a_check_prints_a_row_for_each_request_and_leaves_the_cluster_as_it_was() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 0)) {
            ThreeNodes cluster = ThreeNodes.of(simulator);
            cluster.replicated("vol-1", "node-2", "node-3");
            String before = cluster.call("GET", "/v1/resource-definitions", "");

            assertThat(run("check", simulator.url().toString())).isZero();
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .containsPattern("unknown-path +same +GET /v1/nothing")
                    .containsPattern("prop-4097 +same +PUT ")
                    .containsPattern("33 of 33 answers are as recorded")
                    .doesNotContain("DIFFERENT");
            assertThat(cluster.call("GET", "/v1/resource-definitions", "")).isEqualTo(before);
        }
    }

    @Test
    void a_check_names_what_differs_and_ends_with_1() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 0)) {
            simulator.fault("{\"kind\": \"html\", \"on\": \"GET /v1/nothing\"}");

            assertThat(run("check", simulator.url().toString())).isEqualTo(1);
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .containsPattern("unknown-path +DIFFERENT +GET /v1/nothing\n +status: 200 \\(recorded: 404\\)");
        }
    }

    @Test
    void a_check_of_no_address_ends_with_2_and_of_nobody_with_3() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }

        assertThat(run("check", "not an address")).isEqualTo(2);
        assertThat(run("check", "http://127.0.0.1:" + closed)).isEqualTo(3);
    }

    @Test
    void what_was_answered_is_there_after_a_kill_at_any_moment() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LinstorMain.class.getName(),
                        "up",
                        "--state",
                        folder.toString(),
                        "--port",
                        "0",
                        "--pace",
                        "0")
                .redirectErrorStream(true)
                .start();
        AtomicInteger answered = new AtomicInteger();
        try {
            Path where = folder.resolve("where");
            while (program.isAlive() && (!Files.exists(where) || Files.size(where) == 0)) Thread.sleep(20);
            Thread killer = Thread.ofVirtual().start(() -> {
                // Not before something is there, however slow the machine is.
                while (answered.get() < 5 && program.isAlive()) pause();
                program.destroyForcibly();
            });
            while (call("POST", "/v1/nodes", "{\"name\": \"node-%d\"}".formatted(answered.get())) == 0) {
                answered.incrementAndGet();
            }
            program.destroyForcibly();
            killer.join();
        } finally {
            program.destroyForcibly().waitFor();
        }

        try (LinstorSimulator again = LinstorSimulator.start(folder, 0, 0, 0)) {
            String nodes = new ThreeNodes(again).call("GET", "/v1/nodes", "");
            assertThat(answered.get()).isPositive();
            for (int at = 0; at < answered.get(); at++) assertThat(nodes).contains("\"name\":\"node-" + at + "\"");
        }
    }

    private int call(String method, String path, String body) throws Exception {
        try {
            return run("call", method, path, body, "--state", folder.toString());
        } catch (java.io.IOException _) {
            return -1;
        }
    }

    private int run(String... words) throws Exception {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return LinstorMain.run(List.of(words), out, out);
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
