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
    void a_box_that_runs_is_changed_by_orders_as_by_its_administrator() throws Exception {
        CompletableFuture<Integer> program = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                program.complete(SimulatorMain.run(words("up", "25.10"), nowhere(), nowhere()));
            } catch (IOException e) {
                program.completeExceptionally(e);
            }
        });
        for (int i = 0; i < 200 && !Files.exists(folder.resolve("control")); i++) Thread.sleep(50);
        String ok = object("ok", true).toString();

        assertThat(fault("restore")).contains("restore: nothing was saved");
        assertThat(fault("save")).isEqualTo(ok);
        String share = "[{\"path\": \"/mnt/tank/k8s\", \"comment\": \"%s\"}]";
        assertThat(order("call", "pool.dataset.create", "[{\"name\": \"tank/k8s\"}]"))
                .contains("tank/k8s");
        assertThat(order("call", "sharing.nfs.create", share.formatted("first")))
                .contains("\"id\":1");
        assertThat(fault("restore")).isEqualTo(ok);
        assertThat(order("call", "sharing.nfs.query", "[]")).isEqualTo("{\"result\":[]}");
        assertThat(order("call", "sharing.nfs.create", share.formatted("second")))
                .contains("\"id\":1");
        assertThat(fault("tamper", ",\"table\":\"nfs_share\",\"row-key\":\"1\",\"row\":{\"comment\":\"by hand\"}"))
                .isEqualTo(ok);
        assertThat(order("call", "sharing.nfs.query", "[]")).contains("by hand");
        assertThat(fault("tamper", ",\"table\":\"nfs_share\",\"row-key\":\"1\""))
                .isEqualTo(ok);
        assertThat(order("call", "sharing.nfs.query", "[]")).isEqualTo("{\"result\":[]}");
        assertThat(fault("tamper", ",\"table\":\"nfs_share\",\"row-key\":\"1\""))
                .contains("has no row 1");

        assertThat(fault("lock", ",\"dataset\":\"tank/k8s\"")).isEqualTo(ok);
        assertThat(order("call", "pool.dataset.query", "[[[\"id\", \"=\", \"tank/k8s\"]]]"))
                .contains("\"locked\":true");
        assertThat(fault("unlock", ",\"dataset\":\"tank/k8s\"")).isEqualTo(ok);
        assertThat(order("call", "pool.dataset.query", "[[[\"id\", \"=\", \"tank/k8s\"]]]"))
                .contains("\"locked\":false");
        assertThat(fault("lock")).contains("lock: 'dataset' is missing");

        assertThat(order("call", "iscsi.target.create", "[{\"name\": \"one\"}]"))
                .contains("\"name\":\"one\"");
        assertThat(fault("session", ",\"target\":\"one\",\"initiator\":\"iqn.2000-01.org.example:other\""))
                .isEqualTo(ok);
        assertThat(order("call", "iscsi.target.delete", "[1]")).contains("in use");
        assertThat(fault("roles", ",\"user\":\"csi\",\"password\":\"pass-w0rd\",\"roles\":[\"DATASET_READ\"]"))
                .isEqualTo(ok);
        assertThat(order("dump")).contains("DATASET_READ");
        assertThat(order("dump")).doesNotContain("Revoked by an administrator");
        assertThat(fault("revoke-key")).isEqualTo(ok);
        assertThat(order("dump")).contains("Revoked by an administrator");
        assertThat(fault("delete-key")).isEqualTo(ok);
        assertThat(order("dump")).doesNotContain("Revoked by an administrator");

        assertThat(order("down")).isEqualTo(ok);
        assertThat(program.get(10, TimeUnit.SECONDS)).isZero();
    }

    private String fault(String injury) throws IOException {
        return fault(injury, "");
    }

    private String fault(String injury, String more) throws IOException {
        return order("fault", "{\"injury\":\"" + injury + "\"" + more + "}");
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
