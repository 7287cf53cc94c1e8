package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatorMainTest {
    @TempDir
    private Path folder;

    @Test
    void a_box_that_runs_is_upgraded_broken_mended_and_ended_by_orders() throws Exception {
        CompletableFuture<Integer> program = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                program.complete(SimulatorMain.run(words("up", "25.10"), nowhere(), nowhere()));
            } catch (IOException e) {
                program.completeExceptionally(e);
            }
        });
        for (int i = 0; i < 200 && !Files.exists(folder.resolve("control")); i++) Thread.sleep(50);

        assertThat(order("upgrade", "26")).contains("TrueNAS-26.0.0-RC.1");
        assertThat(order("fault", "{\"method\":\"pool.query\",\"injury\":\"cut-before\"}"))
                .isEqualTo(object("ok", true).toString());
        assertThat(order("fault", "{\"injury\":\"nonsense\"}")).contains("injury: 'nonsense'");
        assertThat(order("mend")).isEqualTo(object("ok", true).toString());
        assertThat(order("check")).isEqualTo("{\"broken\":[]}");
        assertThat(order("calls")).isEqualTo("{\"calls\":[]}");
        assertThat(order("call", "pool.dataset.create", "[{\"name\": \"tank/k8s\"}]"))
                .contains("\"id\":\"tank/k8s\"");
        assertThat(order("call", "pool.dataset.create", "[{\"name\": \"tank/k8s\"}]"))
                .startsWith("{\"error\"")
                .contains("tank/k8s");
        assertThat(order("dump")).contains("\"tank\"");
        assertThat(order("down")).isEqualTo(object("ok", true).toString());
        assertThat(program.get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void a_line_that_nobody_understands_is_told_how_it_goes() throws IOException {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();

        int code =
                SimulatorMain.run(words("up", "3.1"), nowhere(), new PrintStream(errors, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("up PROFILE --folder FOLDER");
    }

    @Test
    void a_pool_that_is_none_is_said_before_anything_is_begun() throws IOException {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();

        int code = SimulatorMain.run(
                words("up", "25.10", "--pool", folder.resolve("none").toString()),
                nowhere(),
                new PrintStream(errors, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .startsWith("--pool: ")
                .contains("is not the state of a storage host that is up");
        assertThat(folder).isEmptyDirectory();
    }

    private String order(String... order) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int _ = SimulatorMain.run(words(order), new PrintStream(out, true, StandardCharsets.UTF_8), nowhere());
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    private List<String> words(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--folder", folder.toString()));
        return all;
    }

    private static PrintStream nowhere() {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }
}
